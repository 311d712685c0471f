import { arrayOf, framed, inResponse, ofTokens } from './common.ts';
import type { Dialect } from './dialect.ts';

// Families whose calls are told by special tokens. Formats by their chat templates; `docs/dialects.md` says which models.

const heads = [
  '<|channel|>commentary\nto=functions.{name}\n',
  '<|channel|>analysis\nto=functions.{name}\n',
  'to=functions.{name}\n<|channel|>commentary\n',
  'to=functions.{name}\n<|channel|>analysis\n',
  '<|channel|>commentary\nto={name}\n', // as templates of others write it
] as const;
const contents = ['<|constrain|>json', 'json', ''] as const;
/** As one word if a server drops special tokens. */
const dropped = ['assistantcommentary', 'commentary', 'assistantanalysis', 'analysis'] as const;
const harmonyMarkers = heads.flatMap((head) => contents.map((content) => `${head}${content}<|message|>`));

export const tokenDialects = {
  /** `<|tool_call>call:name{key:value}<tool_call|>`: Gemma 4. */
  gemma: {
    ...ofTokens,
    name: 'gemma',
    grammar: { kind: 'braces', open: '<|tool_call>call:', close: '<tool_call|>', quote: '<|"|>' },
    also: [{ kind: 'braces', open: 'call:', close: '<tool_call|>', quote: '<|"|>', isRest: true }],
    thoughts: { open: '<|channel>thought', close: '<channel|>' },
    ends: ['<turn|>'],
    hidden: ['<|tool_response>'],
    result: {
      open: '<|tool_response>response:{name}{value:<|"|>',
      error: '<|tool_response>response:{name}{error:<|"|>',
      close: '<|"|>}<tool_response|>',
      body: 'text',
    },
    definitions: { open: '', each: '<|tool>{braces}<tool|>', between: '', close: '' },
  },
  /** `<start_function_call>call:name{key:value}<end_function_call>`: FunctionGemma. */
  functionGemma: {
    ...ofTokens,
    name: 'functionGemma',
    grammar: {
      kind: 'braces',
      open: '<start_function_call>call:',
      close: '<end_function_call>',
      quote: '<escape>',
    },
    ends: ['<start_function_response>'],
    result: {
      open: '<start_function_response>response:{name}{value:<escape>',
      error: '<start_function_response>response:{name}{error:<escape>',
      close: '<escape>}<end_function_response>',
      body: 'text',
    },
    definitions: {
      open: 'You are a model that can do function calling with the following functions',
      each: '<start_function_declaration>{escapes}<end_function_declaration>',
      between: '',
      close: '',
    },
  },
  /** `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`: gpt-oss. */
  harmony: {
    ...ofTokens,
    name: 'harmony',
    grammar: {
      kind: 'named',
      open: ['<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>', ...harmonyMarkers],
      close: ['<|call|>'],
    },
    also: [
      {
        kind: 'named',
        open: ['commentary to=functions.{name} json', ...dropped.map((word) => `${word}\nto=functions.{name}\njson`)],
        close: ['<|call|>'],
        isRest: true,
      },
    ],
    thoughts: { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
    ends: ['<|return|>'],
    hidden: [
      '<|start|>assistant',
      '<|channel|>final<|message|>',
      '<|channel|>commentary<|message|>',
      '<|end|>',
      '<|channel|>commentary to=assistant',
    ],
    result: framed('<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>', '<|end|>'),
    definitions: {
      open: '## functions\n\nnamespace functions {\n\n',
      each: '{typescript}',
      between: '\n\n',
      close: '\n\n} // namespace functions',
    },
    advice: 'Calls must go to the commentary channel.',
  },
  /** `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>`: DeepSeek V3.1. */
  deepseek: {
    ...ofTokens,
    name: 'deepseek',
    grammar: {
      kind: 'named',
      open: ['<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>'],
      close: ['<｜tool▁call▁end｜>'],
      frame: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
    },
    ends: ['<｜end▁of▁sentence｜>'],
    result: framed('<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'),
    definitions: {
      open: 'You have access to the following tools:\n\n',
      each: '### {name}\nDescription: {description}\n\nParameters: {schema}',
      between: '\n\n',
      close: '',
    },
  },
  /** The same with `function`, and the arguments in a fence: DeepSeek V3 and R1. */
  deepseekV3: {
    ...ofTokens,
    name: 'deepseekV3',
    grammar: {
      kind: 'named',
      open: ['<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n'],
      close: ['```', '<｜tool▁call▁end｜>'],
      frame: ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
    },
    ends: ['<｜end▁of▁sentence｜>'],
    hidden: ['<｜tool▁outputs▁end｜>'],
    result: framed('<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>', '<｜tool▁output▁end｜><｜tool▁outputs▁end｜>'),
  },
  /** `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`: Kimi K2. */
  kimi: {
    ...ofTokens,
    name: 'kimi',
    grammar: {
      kind: 'named',
      open: [
        '<|tool_call_begin|>functions.{name}:{id}<|tool_call_argument_begin|>',
        '<|tool_call_begin|>\nfunctions.{name}:{id}\n<|tool_call_argument_begin|>',
        '<|tool_call_begin|>\n{name}:{id}\n<|tool_call_argument_begin|>',
        '<|tool_call_begin|>\nfunctions.{name}\n<|tool_call_argument_begin|>',
        '<|tool_call_begin|>\n{name}\n<|tool_call_argument_begin|>',
      ],
      close: ['<|tool_call_end|>'],
      frame: ['<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'],
    },
    also: [{ kind: 'named', open: ['functions.{name}:{id}'], close: ['<|tool_call_end|>'], isRest: true }],
    ends: ['<|im_end|>'],
    result: framed('## Return of functions.{name}\n', ''),
    definitions: arrayOf('{tool}'),
  },
  /** `<function=name>{…}</function>`: Functionary 3.1, and Llama 3.1 with tools of its user. */
  functionary: {
    ...ofTokens,
    name: 'functionary',
    grammar: { kind: 'named', open: ['<function={name}>'], close: ['</function>'] },
    ends: ['<|eot_id|>', '<|eom_id|>'],
    result: inResponse,
    definitions: {
      open: '',
      each: "Use the function '{name}' to '{description}'\n{function}",
      between: '\n\n',
      close: '',
    },
  },
  /** `>>>name`, and the arguments on the next line: Functionary 3.2. */
  functionary32: {
    ...ofTokens,
    name: 'functionary32',
    grammar: { kind: 'named', open: ['>>>{name}\n'], close: [] },
    hidden: ['>>>all\n'],
    begins: '>>>',
    ends: ['<|eot_id|>', '<|eom_id|>'],
    inAuto: false,
    result: inResponse,
    definitions: {
      open: 'namespace functions {\n\n',
      each: '{typescript}',
      between: '\n\n',
      close: '\n\n} // namespace functions',
    },
  },
} as const satisfies Readonly<Record<string, Dialect>>;
