import { arrayOf, framed, inResponse, ofTokens } from './common.ts';
import type { Dialect, JsonGrammar } from './dialect.ts';

// Families whose calls are JSON in a frame of their own.

const named = { kind: 'json', name: ['name'], input: ['arguments', 'parameters'] } as const;

/** An array of calls in a frame. */
function list<const Open extends string, const Close extends string>(open: Open, close: Close) {
  return { ...named, open, close, several: 'array' } as const satisfies JsonGrammar;
}

/** A frame for each call. */
function single<const Open extends string, const Close extends string>(open: Open, close: Close) {
  return { ...named, open, close } as const satisfies JsonGrammar;
}

export const frameDialects = {
  /** `<|tool_call|>[{…}]`: Granite 3. */
  granite: {
    ...ofTokens,
    name: 'granite',
    grammar: list('<|tool_call|>', ''),
    also: [list('<tool_call>', '')],
    hidden: ['<response>', '</response>'],
    ends: ['<|end_of_text|>'],
    result: inResponse,
    definitions: arrayOf('{tool}'),
  },
  /** `<tool_calls>[{…}]</tool_calls>`: Jamba. */
  jamba: {
    ...ofTokens,
    name: 'jamba',
    grammar: list('<tool_calls>', '</tool_calls>'),
    ends: ['<|eom|>'],
    result: inResponse,
    definitions: { open: '<tool_definitions>\n', each: '{tool}', close: '\n</tool_definitions>' },
  },
  /** As Jamba, with `<answer>`: Hunyuan A13B. */
  hunyuan: {
    ...ofTokens,
    name: 'hunyuan',
    grammar: list('<tool_calls>', '</tool_calls>'),
    hidden: ['<answer>', '</answer>'],
    result: inResponse,
    definitions: arrayOf('{tool}'),
  },
  /** `functools[{…}]`: Phi-4-mini. */
  phi: {
    ...ofTokens,
    name: 'phi',
    grammar: list('functools', ''),
    also: [list('<|tool_call|>', '<|/tool_call|>')],
    ends: ['<|end|>'],
    result: framed('<|tool|>', '<|end|>'),
    definitions: arrayOf('{function}', '<|tool|>[', ']<|/tool|>'),
  },
  /** `function call<|role_sep|>`, and the call behind it: GigaChat 3. One a turn. */
  gigachat: {
    ...ofTokens,
    name: 'gigachat',
    grammar: single('function call<|role_sep|>', ''),
    also: [single('<|function_call|>', '')],
    hidden: ['<|message_sep|>'],
    result: framed('function result<|role_sep|>\n', '<|message_sep|>'),
    definitions: { open: 'function descriptions<|role_sep|>\n', each: '{typescript}', between: '\n\n', close: '' },
    after: 'stop',
  },
  /** `<longcat_tool_call>{…}</longcat_tool_call>`: LongCat. */
  longcat: {
    ...ofTokens,
    name: 'longcat',
    grammar: single('<longcat_tool_call>', '</longcat_tool_call>'),
    also: [
      {
        kind: 'tags', // of 2.0
        call: ['<longcat_tool_call>{name}\n', '</longcat_tool_call>'],
        parameter: ['<longcat_arg_key>{name}</longcat_arg_key>\n<longcat_arg_value>', '</longcat_arg_value>'],
        recovers: true,
        inline: true,
      },
    ],
    thoughts: { open: '<longcat_think>', close: '</longcat_think>' },
    result: framed('<longcat_tool_response>\n', '\n</longcat_tool_response>'),
    definitions: {
      open: '',
      each: '#### Tool name: {name}\n\nDescription: {description}\n\nInputSchema: \n{schema}',
      between: '\n\n',
      close: '',
    },
  },
  /** `<|action_start|><|plugin|>{…}<|action_end|>`: InternLM 2 and 3. */
  internlm: {
    ...ofTokens,
    name: 'internlm',
    grammar: {
      ...single('<|action_start|><|plugin|>', '<|action_end|>'),
      input: ['parameters', 'arguments'],
    },
    also: [single('<|action_start|> <|plugin|>', '<|action_end|>')],
    ends: ['<|im_end|>'],
    result: inResponse,
    definitions: arrayOf('{function}'),
  },
  /** `<TOOLCALL>[{…}]</TOOLCALL>`: Nemotron before 3. */
  nemotron: {
    ...ofTokens,
    name: 'nemotron',
    grammar: list('<TOOLCALL>', '</TOOLCALL>'),
    result: framed('<TOOL_RESPONSE>[', ']</TOOL_RESPONSE>'),
    definitions: arrayOf('{function}', '<AVAILABLE_TOOLS>[', ']</AVAILABLE_TOOLS>'),
  },
  /** `<|START_ACTION|>[{"tool_call_id": …, "tool_name": …, "parameters": …}]<|END_ACTION|>`: Command A and R7B. */
  cohere: {
    ...ofTokens,
    name: 'cohere',
    grammar: {
      kind: 'json',
      open: '<|START_ACTION|>',
      close: '<|END_ACTION|>',
      name: ['tool_name', 'name'],
      input: ['parameters', 'arguments'],
      several: 'array',
      counts: 'tool_call_id',
    },
    thoughts: { open: '<|START_THINKING|>', close: '<|END_THINKING|>' },
    ends: ['<|END_OF_TURN_TOKEN|>'],
    hidden: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
    result: framed('<|START_TOOL_RESULT|>', '<|END_TOOL_RESULT|>'),
    definitions: arrayOf('{function}', '## Available Tools\n```json\n[', ']\n```'),
  },
  /** `Action:` and a fence of JSON: Command R and R+. */
  commandR: {
    ...ofTokens,
    name: 'commandR',
    grammar: {
      kind: 'json',
      open: 'Action:\n```json\n',
      close: '```',
      name: ['tool_name', 'name'],
      input: ['parameters', 'arguments'],
      several: 'array',
    },
    ends: ['<|END_OF_TURN_TOKEN|>'],
    result: framed('<results>\n', '\n</results>'),
    definitions: { open: '## Available Tools\n```python\n', each: '{python}', between: '\n\n', close: '\n```' },
  },
  /** `<|tools_prefix|>[{"name": {…}}]<|tools_suffix|>`: Apertus. */
  apertus: {
    ...ofTokens,
    name: 'apertus',
    grammar: { kind: 'keyed', open: '<|tools_prefix|>', close: '<|tools_suffix|>' },
    thoughts: { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
    result: inResponse,
    definitions: { open: 'Tool Capabilities:\n', each: '{typescript}', between: '\n', close: '' },
  },
} as const satisfies Readonly<Record<string, Dialect>>;
