import type { JsonObject, ToolDefinition } from '@utensil/core';
import type { DialectName } from '../dialects/dialects.ts';

// Output of model families, as data: forms of their chat templates, and their usual mistakes.

const tool = (name: string, properties: JsonObject): ToolDefinition => ({
  type: 'function',
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties },
});

/** The tools of the cases. */
export const formatTools: readonly ToolDefinition[] = [
  tool('f', { n: { type: 'integer' } }),
  tool('g', { t: { type: 'string' } }),
  tool('h', {}),
];

/** A call as it is read: its tool, and its arguments, or that it is wrong. */
export type Expected = readonly [name: string, input: JsonObject | 'wrong'];

/** Name of the case, output of the model, expected events. */
export type Case = readonly [about: string, text: string, calls: readonly Expected[]];

const f: Expected = ['f', { n: 2 }];
const h: Expected = ['h', {}];
const g = (t: string): Expected => ['g', { t }];

const J1 = '{"name": "f", "arguments": {"n": 2}}';
const J2 = '{"name": "g", "arguments": {"t": "a \\"b\\"]\\n{c"}}';
const both: readonly Expected[] = [f, g('a "b"]\n{c')];

/** Cases by dialect. */
export const formats: Partial<Record<DialectName, readonly Case[]>> = {
  gemma: [
    ['a call behind a thought', '<|channel>thought\nOk.\n<channel|><|tool_call>call:f{n:2}<tool_call|>', [f]],
    [
      'two calls, the first with a text of its own signs',
      '<|tool_call>call:g{t:<|"|>a "b", {c:1}\n<d><|"|>}<tool_call|><|tool_call>call:h{}<tool_call|>',
      [g('a "b", {c:1}\n<d>'), h],
    ],
    [
      'the closing tag twice',
      '<|tool_call>call:f{n:2}<tool_call|><tool_call|><|tool_call>call:h{}<tool_call|>',
      [f, h],
    ],
    ['no closing tag at the end', '<|tool_call>call:f{n:2}', [f]],
    ['a text in quotation marks', '<|tool_call>call:g{t:"a, \\"b\\""}<tool_call|>', [g('a, "b"')]],
    ['a text in apostrophes', "<|tool_call>call:g{t:'a, b'}<tool_call|>", [g('a, b')]],
    ['a text without marks', '<|tool_call>call:g{t:Paris}<tool_call|>', [g('Paris')]],
    [
      'the end of another call in a text',
      '<|tool_call>call:g{t:<|"|>}<tool_call|><|"|>}<tool_call|>',
      [g('}<tool_call|>')],
    ],
    [
      'a text that never ends, which costs only itself',
      '<|tool_call>call:g{t:"a<tool_call|><|tool_call>call:f{n:2}<tool_call|>',
      [['g', 'wrong']],
    ],
    [
      'no closing brace, which costs only itself',
      '<|tool_call>call:f{n:2<tool_call|><|tool_call>call:h{}<tool_call|>',
      [['f', 'wrong'], h],
    ],
    [
      'lists and members inside',
      '<|tool_call>call:f{a:[1,<|"|>x<|"|>,{b:null}],n:2,o:{k:true}}<tool_call|>',
      [['f', { a: [1, 'x', { b: null }], n: 2, o: { k: true } }]],
    ],
  ],
  functionGemma: [
    ['a call', '<start_function_call>call:f{n:2}<end_function_call>', [f]],
    [
      'two calls, a text with signs',
      '<start_function_call>call:g{t:<escape>a, "b" {c}<escape>}<end_function_call><start_function_call>call:h{}<end_function_call>',
      [g('a, "b" {c}'), h],
    ],
    ['line breaks in a text', '<start_function_call>call:g{t:<escape>a\nb<escape>}<end_function_call>', [g('a\nb')]],
  ],
  harmony: [
    [
      'a call behind an analysis',
      '<|channel|>analysis<|message|>Ok.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"n":2}<|call|>',
      [f],
    ],
    [
      'the recipient before the channel, two calls',
      ' to=functions.g<|channel|>commentary json<|message|>{"t":"a \\"b\\"\\n{c"}<|call|><|start|>assistant to=functions.h<|channel|>commentary json<|message|>{}<|call|>',
      [g('a "b"\n{c'), h],
    ],
    ['no type of content, and no end', '<|channel|>commentary to=functions.f<|message|>{"n": 2}', [f]],
    ['the channel of thoughts', '<|channel|>analysis to=functions.f <|constrain|>json<|message|>{"n": 2}<|call|>', [f]],
    ['JSON that breaks off', '<|channel|>commentary to=functions.f json<|message|>{"n": <|call|>', [['f', 'wrong']]],
  ],
  glm: [
    ['with line breaks, as 4.5', '<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>2</arg_value>\n</tool_call>', [f]],
    [
      'without, as 4.7',
      '<tool_call>g<arg_key>t</arg_key><arg_value>a "b"\n<c></arg_value></tool_call><tool_call>h</tool_call>',
      [g('a "b"\n<c>'), h],
    ],
    ['no end of the last call', '<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>2</arg_value>\n', [f]],
  ],
  deepseek: [
    [
      'a call',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"n": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      [f],
    ],
    [
      'two calls, the first broken',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"n": <｜tool▁call▁end｜><｜tool▁call▁begin｜>h<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      [['f', 'wrong'], h],
    ],
    [
      'a broken call without its end',
      '<｜tool▁call▁begin｜>f<｜tool▁sep｜>{"n" 2}<｜tool▁call▁begin｜>h<｜tool▁sep｜>{}<｜tool▁call▁end｜>',
      [['f', 'wrong'], h],
    ],
  ],
  deepseekV3: [
    [
      'two calls',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"n": 2}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>h\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      [f, h],
    ],
    [
      'a fence closed on the line',
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"n": 2}```<｜tool▁call▁end｜>',
      [f],
    ],
  ],
  dsml: [
    [
      'two calls',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="g">\n<｜DSML｜parameter name="t" string="true">a "b"\n<c></｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="h">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      [g('a "b"\n<c>'), h],
    ],
    [
      'JSON, in the frame of V4',
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="n" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
      [f],
    ],
  ],
  kimi: [
    [
      'two calls',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.g:1<|tool_call_argument_begin|>{"t":"a \\"b\\"\\n{c"}<|tool_call_end|><|tool_call_begin|>functions.h:2<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>',
      [g('a "b"\n{c'), h],
    ],
    ['no section, no prefix, no end', '<|tool_call_begin|>f:0<|tool_call_argument_begin|>{"n":2}', [f]],
    [
      'blanks at its id',
      '<|tool_call_begin|> functions.f:0 <|tool_call_argument_begin|> {"n":2}<|tool_call_end|>',
      [f],
    ],
    [
      'broken JSON, which costs only itself',
      '<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"n":<|tool_call_end|><|tool_call_begin|>functions.h:1<|tool_call_argument_begin|>{}<|tool_call_end|>',
      [['f', 'wrong'], h],
    ],
  ],
  minimax: [
    [
      'two calls',
      '<minimax:tool_call>\n<invoke name="g">\n<parameter name="t">a "b"\n<c></parameter>\n</invoke>\n<invoke name="h">\n</invoke>\n</minimax:tool_call>',
      [g('a "b"\n<c>'), h],
    ],
    [
      'on one line',
      '<minimax:tool_call><invoke name="f"><parameter name="n">2</parameter></invoke></minimax:tool_call>',
      [f],
    ],
    [
      'names without quotation marks',
      '<minimax:tool_call><invoke name=f><parameter name=n>2</parameter></invoke></minimax:tool_call>',
      [f],
    ],
    ['no end', '<minimax:tool_call><invoke name="f"><parameter name="n">2</parameter></invoke>', [f]],
  ],
  seed: [
    ['a call', '<seed:tool_call>\n<function=f>\n<parameter=n>2</parameter>\n</function>\n</seed:tool_call>', [f]],
    ['none', '<seed:tool_call>\n<function=h>\n</function>\n</seed:tool_call>', [h]],
  ],
  step: [
    [
      'a call',
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="f"><steptml:parameter name="n">2</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      [f],
    ],
    [
      'a value with signs, and none',
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="g"><steptml:parameter name="t">a < b</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="h"></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      [g('a < b'), h],
    ],
  ],
  hunyuan3: [
    [
      'two calls',
      '<tool_calls>\n<tool_call>f<tool_sep>\n<arg_key>n</arg_key>\n<arg_value>2</arg_value>\n</tool_call>\n<tool_call>h<tool_sep>\n</tool_call>\n</tool_calls>',
      [f, h],
    ],
  ],
  granite: [
    ['two calls', `<|tool_call|>[${J1}, ${J2}]`, both],
    ['the tag of 3.1', `<tool_call>[${J1}]`, [f]],
  ],
  jamba: [['two calls', `<tool_calls>[${J1}, ${J2}]</tool_calls>`, both]],
  hunyuan: [['two calls', `<think>Ok.</think><answer><tool_calls>[${J1}, ${J2}]</tool_calls></answer>`, both]],
  phi: [
    ['two calls', `functools[${J1}, ${J2}]`, both],
    ['in tags', `<|tool_call|>[${J1}]<|/tool_call|>`, [f]],
  ],
  gigachat: [
    ['a call', `Ok.<|message_sep|>\n\nfunction call<|role_sep|>\n${J1}`, [f]],
    ['a call of 3.1', `<|function_call|>${J2}`, [g('a "b"]\n{c')]],
  ],
  longcat: [
    [
      'two calls',
      `<longcat_tool_call>\n${J1}\n</longcat_tool_call>\n<longcat_tool_call>\n${J2}\n</longcat_tool_call>`,
      both,
    ],
  ],
  internlm: [
    ['a call', `<|action_start|><|plugin|>\n${J1}<|action_end|>`, [f]],
    [
      'a blank between the tokens, other keys',
      '<|action_start|> <|plugin|>\n{"name": "f", "parameters": {"n": 2}}<|action_end|>',
      [f],
    ],
  ],
  nemotron: [['two calls', `<TOOLCALL>[${J1}, ${J2}]</TOOLCALL>`, both]],
  cohere: [
    [
      'two calls',
      '<|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "g", "parameters": {"t": "a \\"b\\"]\\n{c"}},\n{"tool_call_id": "1", "tool_name": "h", "parameters": {}}\n]<|END_ACTION|>',
      [g('a "b"]\n{c'), h],
    ],
    ['an object, no list', '<|START_ACTION|>{"tool_name": "f", "parameters": {"n": 2}}<|END_ACTION|>', [f]],
    [
      'no comma',
      '<|START_ACTION|>[{"tool_name": "h", "parameters": {}}\n{"tool_name": "f", "parameters": {"n": 2}}]<|END_ACTION|>',
      [h, f],
    ],
  ],
  commandR: [['a call', 'Action:\n```json\n[{"tool_name": "f", "parameters": {"n": 2}}]\n```', [f]]],
  apertus: [
    [
      'two calls',
      '<|inner_prefix|>Ok.<|inner_suffix|><|tools_prefix|>[{"f": {"n": 2}}, {"h": {}}]<|tools_suffix|>',
      [f, h],
    ],
    ['no suffix', '<|tools_prefix|>[{"f": {"n": 2}}]', [f]],
    ['a list in place of arguments', '<|tools_prefix|>[{"f": [2]}]<|tools_suffix|>', [['f', 'wrong']]],
  ],
  functionary: [['two calls', '<function=f>{"n": 2}</function>\n<function=h>{}</function>', [f, h]]],
  functionary32: [['two calls', 'Ok.>>>g\n{"t": "a \\"b\\"\\n>>>c"}>>>h\n{}\n', [g('a "b"\n>>>c'), h]]],
};
