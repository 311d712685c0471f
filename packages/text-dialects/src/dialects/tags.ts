import { framed, inResponse } from './common.ts';
import type { Dialect, TagGrammar } from './dialect.ts';

// Families whose calls are elements: pairs of keys and values, attributes, or names in tags.

const values = { recovers: true, inline: true } as const;

const ofTags = { definitions: 'json', fences: ['tool_call', 'tool_code'], after: 'keep' } as const;

/** DeepSeek's frame around the calls of a turn differs from version to version; its content does not. */
function dsml<const Frame extends string>(frame: Frame) {
  return {
    kind: 'tags',
    frame: [`<｜DSML｜${frame}>`, `</｜DSML｜${frame}>`],
    call: ['<｜DSML｜invoke name="{name}">', '</｜DSML｜invoke>'],
    parameter: ['<｜DSML｜parameter name="{name}" string="{id}">', '</｜DSML｜parameter>'],
    ...values,
    sharesFrame: true,
  } as const satisfies TagGrammar;
}

export const tagDialects = {
  /** `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>`: GLM 4.5 to 5. */
  glm: {
    ...ofTags,
    name: 'glm',
    grammar: {
      kind: 'tags',
      call: ['<tool_call>{name}\n', '</tool_call>'],
      parameter: ['<arg_key>{name}</arg_key>\n<arg_value>', '</arg_value>'],
      ...values,
    },
    ends: ['<|observation|>', '<|user|>'],
    result: inResponse,
  },
  /** `<｜DSML｜invoke name="name"><｜DSML｜parameter name="key" string="true">`: DeepSeek V3.2. */
  dsml: {
    ...ofTags,
    name: 'dsml',
    grammar: dsml('function_calls'),
    also: [dsml('tool_calls')],
    ends: ['<｜end▁of▁sentence｜>'],
    result: framed('<function_results>\n<result>', '</result>\n</function_results>'),
    definitions: { open: '<functions>\n', each: '{function}', close: '\n</functions>' },
  },
  /** The same in another frame: DeepSeek V4. */
  dsmlV4: {
    ...ofTags,
    name: 'dsmlV4',
    grammar: dsml('tool_calls'),
    also: [dsml('function_calls')],
    ends: ['<｜end▁of▁sentence｜>'],
    result: framed('<tool_result>', '</tool_result>'),
    definitions: { open: '### Available Tool Schemas\n\n', each: '{function}', close: '' },
  },
  /** `<minimax:tool_call><invoke name="name"><parameter name="key">value</parameter>`: MiniMax M2. */
  minimax: {
    ...ofTags,
    name: 'minimax',
    grammar: {
      kind: 'tags',
      frame: ['<minimax:tool_call>', '</minimax:tool_call>'],
      call: ['<invoke name="{name}">', '</invoke>'],
      parameter: ['<parameter name="{name}">', '</parameter>'],
      ...values,
      sharesFrame: true,
    },
    also: [
      {
        kind: 'tags',
        frame: ['<minimax:tool_call>', '</minimax:tool_call>'],
        call: ['<invoke name={name}>', '</invoke>'],
        parameter: ['<parameter name={name}>', '</parameter>'],
        ...values,
      },
    ],
    ends: ['[e~['],
    result: framed('<response>', '</response>'),
    definitions: { open: '<tools>\n', each: '<tool>{function}</tool>', close: '\n</tools>' },
  },
  /** `<seed:tool_call><function=name><parameter=key>value</parameter>`: Seed-OSS. */
  seed: {
    ...ofTags,
    name: 'seed',
    grammar: {
      kind: 'tags',
      frame: ['<seed:tool_call>', '</seed:tool_call>'],
      call: ['<function={name}>', '</function>'],
      parameter: ['<parameter={name}>', '</parameter>'],
      ...values,
    },
    thoughts: { open: '<seed:think>', close: '</seed:think>' },
    ends: ['<seed:eos>'],
    result: inResponse,
    definitions: { open: '', each: 'Function:\n{python}', between: '\n\n', close: '' },
  },
  /** `<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="name">`: Step 3. */
  step: {
    ...ofTags,
    name: 'step',
    grammar: {
      kind: 'tags',
      frame: ['<｜tool_call_begin｜>function<｜tool_sep｜>', '<｜tool_call_end｜>'],
      call: ['<steptml:invoke name="{name}">', '</steptml:invoke>'],
      parameter: ['<steptml:parameter name="{name}">', '</steptml:parameter>'],
      ...values,
    },
    also: [
      {
        kind: 'tags',
        frame: ['<｜tool_call_begin｜>', '<｜tool_call_end｜>'],
        call: ['<steptml:invoke name="{name}">', '</steptml:invoke>'],
        parameter: ['<steptml:parameter name="{name}">', '</steptml:parameter>'],
        ...values,
      },
    ],
    hidden: ['<｜tool_calls_begin｜>', '<｜tool_calls_end｜>'],
    result: inResponse,
  },
  /** `<tool_calls><tool_call>name<tool_sep>`, and pairs as GLM: Hunyuan 3. */
  hunyuan3: {
    ...ofTags,
    name: 'hunyuan3',
    grammar: {
      kind: 'tags',
      call: ['<tool_call>{name}<tool_sep>\n', '</tool_call>'],
      parameter: ['<arg_key>{name}</arg_key>\n<arg_value>', '</arg_value>'],
      ...values,
    },
    also: [
      {
        kind: 'tags', // of the open weights
        call: ['<tool_call:opensource>{name}<tool_sep:opensource>\n', '</tool_call:opensource>'],
        parameter: [
          '<arg_key:opensource>{name}</arg_key:opensource>\n<arg_value:opensource>',
          '</arg_value:opensource>',
        ],
        ...values,
      },
      {
        kind: 'tags', // small models leave the separator out
        call: ['<tool_call:opensource>{name}\n', '</tool_call:opensource>'],
        parameter: [
          '<arg_key:opensource>{name}</arg_key:opensource>\n<arg_value:opensource>',
          '</arg_value:opensource>',
        ],
        ...values,
      },
    ],
    hidden: ['<tool_calls>', '</tool_calls>', '<tool_calls:opensource>', '</tool_calls:opensource>'],
    result: inResponse,
  },
} as const satisfies Readonly<Record<string, Dialect>>;
