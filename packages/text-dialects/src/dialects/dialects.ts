import { arrayOf } from './common.ts';
import type { Dialect, ResultFrame } from './dialect.ts';
import { frameDialects } from './frames.ts';
import { tagDialects } from './tags.ts';
import { tokenDialects } from './tokens.ts';

/** Results between tags of this name. */
function between(tag: string): ResultFrame {
  return {
    open: `<${tag} name="{name}">\n`,
    error: `<${tag} name="{name}" error="true">\n`,
    close: `\n</${tag}>`,
    body: 'text',
  };
}

const inWords: ResultFrame = {
  open: 'Tool result ({name}): ',
  error: 'Tool error ({name}): ',
  close: '',
  body: 'json',
};

const fences = ['tool_call', 'tool_code'] as const;

/** Common properties of dialects that no model was trained on, and of those that some were. */
const explained = { result: between('tool_result'), definitions: 'text', fences, after: 'keep' } as const;
const trained = { result: between('tool_response'), definitions: 'json', fences, after: 'keep' } as const;

/** The dialects that Utensil brings. */
export const dialects = {
  /** One JSON object on a line; the most forgiving, for models that were trained on none. */
  json: {
    name: 'json',
    grammar: {
      kind: 'json',
      open: '',
      close: '',
      name: ['tool', 'title', 'name', 'function', 'tool_name'],
      input: ['args', 'arguments', 'parameters', 'input', 'tool_input'],
    },
    result: inWords,
    definitions: 'text',
    fences: ['', 'json', 'tool', 'tool_call', 'tool_code'],
    after: 'drop',
    advice: 'To call a tool, write nothing but its JSON object, on a single line, without a code fence.',
  },
  /** `<tool:name>` with `<param:key>`. */
  xml: {
    name: 'xml',
    grammar: {
      kind: 'tags',
      call: ['<tool:{name}>', '</tool:{name}>'],
      parameter: ['<param:{name}>', '</param:{name}>'],
      strict: true,
      repeats: true,
    },
    ...explained,
  },
  /** `^^^name`, `key: value`, `^^^`. */
  caret: {
    name: 'caret',
    grammar: { kind: 'lines', fence: '^^^', rule: '---' },
    ...explained,
  },
  /** `<use_tool><name>…</name><key>…</key></use_tool>`. */
  useTool: {
    name: 'useTool',
    grammar: {
      kind: 'tags',
      call: ['<use_tool>', '</use_tool>'],
      parameter: ['<{name}>', '</{name}>'],
      name: 'name',
    },
    ...explained,
  },
  /** `<tool_call>{"name": …, "arguments": …}</tool_call>`: Hermes, Qwen 2.5 and 3, Granite. */
  hermes: {
    name: 'hermes',
    grammar: {
      kind: 'json',
      open: '<tool_call>',
      close: '</tool_call>',
      name: ['name', 'tool', 'function'],
      input: ['arguments', 'parameters', 'args', 'input'],
    },
    ...trained,
  },
  /** `<tool_call><function=name><parameter=key>…`: Qwen3-Coder, Qwen 3.5, Nemotron, Step. */
  qwenCoder: {
    name: 'qwenCoder',
    grammar: {
      kind: 'tags',
      frame: ['<tool_call>', '</tool_call>'],
      call: ['<function={name}>', '</function>'],
      parameter: ['<parameter={name}>', '</parameter>'],
      block: true,
      recovers: true,
    },
    ...trained,
  },
  /** `<|python_tag|>{"name": …, "parameters": …}`, or the bare object: Llama 3.1 and 3.3. */
  llama: {
    name: 'llama',
    grammar: {
      kind: 'json',
      open: '<|python_tag|>',
      close: '',
      name: ['name'],
      input: ['parameters', 'arguments'],
      several: 'joined',
      bare: true,
    },
    result: inWords,
    definitions: 'json',
    fences: ['', 'json'],
    ends: ['<|eot_id|>', '<|eom_id|>'],
    after: 'drop',
  },
  /** `[f(a='x'), g()]`: Llama 3.2 and 4. */
  pythonic: {
    name: 'pythonic',
    grammar: { kind: 'python', open: '', close: '' },
    also: [
      { kind: 'python', open: '<|python_start|>', close: '<|python_end|>' },
      {
        kind: 'json',
        open: '<|python_start|>',
        close: '',
        name: ['name'],
        input: ['parameters', 'arguments'],
        bare: true,
      },
    ],
    ...trained,
    ends: ['<|eot|>', '<|eom|>', '<|eot_id|>', '<|eom_id|>'],
    result: inWords,
    after: 'drop',
  },
  /** `<function_calls>f(a='x')</function_calls>`, a call a line: Olmo 3. */
  olmo: {
    name: 'olmo',
    grammar: { kind: 'python', open: '<function_calls>', close: '</function_calls>', lines: true },
    ...trained,
    definitions: arrayOf('{tool}', '<functions>[', ']</functions>'),
    result: inWords,
    fences: [],
  },
  /** The same list between `<|tool_call_start|>` and `<|tool_call_end|>`: LFM2. */
  lfm: {
    name: 'lfm',
    grammar: { kind: 'python', open: '<|tool_call_start|>', close: '<|tool_call_end|>' },
    also: [
      {
        kind: 'json',
        open: '<|tool_call_start|>',
        close: '<|tool_call_end|>',
        name: ['name'],
        input: ['arguments', 'parameters'],
      },
      { kind: 'python', open: '', close: '' }, // servers drop special tokens
    ],
    ...trained,
    definitions: arrayOf('{tool}', 'List of tools: ['),
    result: inWords, // JSON: a list in it could else be read as calls
    fences: [],
  },
  /** `[TOOL_CALLS][{…}]`, and `[TOOL_CALLS]name[ARGS]{…}`: Mistral. */
  mistral: {
    name: 'mistral',
    grammar: {
      kind: 'json',
      open: '[TOOL_CALLS]',
      close: '',
      name: ['name'],
      input: ['arguments', 'parameters'],
      several: 'array',
      between: '[ARGS]',
      id: '[CALL_ID]',
      bare: true, // some servers take the marker for a special token, and out
    },
    result: {
      open: '[TOOL_RESULTS]{"name": "{name}", "content": ',
      error: '[TOOL_RESULTS]{"name": "{name}", "error": ',
      close: '}[/TOOL_RESULTS]',
      body: 'json',
    },
    definitions: arrayOf('{tool}', '[AVAILABLE_TOOLS][', '][/AVAILABLE_TOOLS]'),
    fences: [],
    begins: '[TOOL_CALLS]',
    ends: ['</s>'],
    after: 'drop',
  },
  /** `<name><key>…</key></name>`, one call in a turn: Cline, Roo and their kind. */
  blocks: {
    name: 'blocks',
    grammar: {
      kind: 'tags',
      call: ['<{name}>', '</{name}>'],
      parameter: ['<{name}>', '</{name}>'],
      knownOnly: true,
    },
    ...explained,
    after: 'stop',
  },
  ...tokenDialects,
  ...tagDialects,
  ...frameDialects,
} as const satisfies Readonly<Record<string, Dialect>>;

/** The name of one of {@link dialects}. */
export type DialectName = keyof typeof dialects;
