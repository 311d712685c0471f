import type { ToolDefinition } from '@utensil/core';
import { formatTools } from './formats.ts';
import { tool } from './text-model.ts';

// Distortions of the formats by servers and models: tokens dropped or left over, tags missing, arguments in other
// words.

const text = { t: { type: 'string' } } as const;

/** The tools of the cases: names have dots, dashes and letters of any language. */
export const trapTools: readonly ToolDefinition[] = [
  ...formatTools,
  tool('获取天气', text),
  tool('a.b', text),
  tool('mcp__a__b-c', text),
];

const J1 = '{"name": "f", "arguments": {"n": 2}}';
const f = 'f{"n":2}';
const h = 'h{}';
const g = (t: string): string => `g${JSON.stringify({ t })}`;

/** A model's text, and the calls in it: each with its input, or with `!` if it is told and not run. */
export type Trap = readonly [text: string, calls: readonly string[]];

/** Cases by the id of a model. */
export const traps: Readonly<Record<string, readonly Trap[]>> = {
  gemma4: [
    ['call:f{n:2}', [f]],
    [
      '<|tool_call>call:g{t:<|"|>a "b", {c:1}\n<d><|"|>}<tool_call|><|tool_call>call:h{}<tool_call|>',
      [g('a "b", {c:1}\n<d>'), h],
    ],
    ['<|tool_call>call:f{n:2', ['f!']],
    ['<|tool_call>call:g{t:<|"|>abc}<tool_call|>', ['g!']],
    ['<|tool_call>call:获取天气{t:<|"|>abc<|"|>}<tool_call|>', ['获取天气{"t":"abc"}']],
    ['<|channel>thought\nOk.\n<channel|><|tool_call>call:f{n:2}<tool_call|><|tool_response>', [f]],
    ['<channel|><|tool_call>call:f{n:2}<tool_call|>', [f]],
  ],
  'kimi-k2': [
    ['f:0{"n":2}', []],
    ['functions.f:0{"n":2}', [f]],
    ['<|tool_call_begin|>functions.h:0<|tool_call_argument_begin|><|tool_call_end|>', [h]],
    [
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"n":2}<|tool_call_end|><|tool_calls_section_end|><|im_end|>',
      [f],
    ],
    ['<|tool_call_begin|>0<|tool_call_argument_begin|>{"n":2}<|tool_call_end|>', ['0{"n":2}']],
    ['<|tool_call_begin|>f<|tool_call_argument_begin|>{"n":2}<|tool_call_end|>', [f]],
    ['<|tool_call_begin|>functions.a.b:0<|tool_call_argument_begin|>{"t":"x"}<|tool_call_end|>', ['a.b{"t":"x"}']],
    [
      '<|tool_call_begin|>functions.mcp__a__b-c:0<|tool_call_argument_begin|>{"t":"x"}<|tool_call_end|>',
      ['mcp__a__b-c{"t":"x"}'],
    ],
    [
      '<think>Hm. <|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"n":2}<|tool_call_end|><|tool_calls_section_end|>',
      [f],
    ],
  ],
  lfm2: [
    ['[f(n=2)]', [f]],
    ['<think>Ok.</think><|tool_call_start|>[g(t=\'a "b")]\\nc\'), h()]<|tool_call_end|>', [g('a "b")]\nc'), h]],
    ['<|tool_call_start|>f(n=2)<|tool_call_end|>', [f]],
  ],
  devstral: [['f{"n": 2}', [f]]],
  qwen3: [['<tool_call>\n' + J1 + '\n</tool_call><|im_end|>', [f]]],
  mistral: [
    ['[TOOL_CALLS][' + J1 + ']</s>', [f]],
    ['[TOOL_CALLS] [{"name": "f", "arguments": {"n": 2}, "id": "a1B2c3D4e"}]', [f]],
  ],
  'qwen3.5-9b': [
    [
      '<think>\nHm.</think>\n\n<tool_call>\n<function=f>\n<parameter=n>\n2\n</parameter>\n</function>\n</tool_call>',
      [f],
    ],
  ],
  'qwen3-8b': [
    ['<think>\nHm. <tool_call>\n' + J1 + '\n</tool_call>', [f]],
    ['<tool_call>\n{"name":"h"}\n</tool_call>', [h]],
    ['<tool_call>\n{"name":"f","arguments":"{\\"n\\":2}"}\n</tool_call>', [f]],
    ['<tool_call>\n{"name":"h","arguments":null}\n</tool_call>', [h]],
    ['<tool_call>\n{"name":"h","arguments":""}\n</tool_call>', [h]],
  ],
  'gpt-oss': [
    ['<|channel|>commentary to=f <|constrain|>json<|message|>{"n":2}<|call|>', [f]],
    ['<|channel|>commentary to=functions.h <|constrain|>json<|message|><|call|>', [h]],
    [
      '<|channel|>analysis<|message|>Ok.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"n":2}<|call|>',
      [f],
    ],
    [
      '<|channel|>analysis<|message|>Ok.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"n":2}',
      [f],
    ],
    [' to=functions.g<|channel|>commentary json<|message|>{"t":"a"}<|call|>', [g('a')]],
    ['<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"n":2}<|call|>', [f]],
    [
      '<|start|>assistant<|channel|>commentary to=assistant<|channel|>commentary to=functions.f json<|message|>{"n":2}<|call|>',
      [f],
    ],
    ['<|channel|>final<|message|>Done.<|return|>', []],
    ['analysisOk.assistantfinalDone.', []],
  ],
  'deepseek-v4': [
    [
      'Ok.</think>\n\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="n" string="false">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="h">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
      [f, h],
    ],
  ],
  'Hy3-preview': [
    [
      '<think:opensource>Hm: <tool_calls:opensource><tool_call:opensource>h<tool_sep:opensource></tool_call:opensource></tool_calls:opensource></think:opensource>Done.',
      [],
    ],
    [
      '<tool_calls:opensource>\n<tool_call:opensource>f\n<arg_key:opensource>n</arg_key:opensource>\n<arg_value:opensource>2</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
      [f],
    ],
  ],
  'glm-4.6': [
    ['<tool_call>g\n<arg_key>t</arg_key>\n<arg_value>C:\\new</arg_value>\n</tool_call>', [g('C:\\new')]],
    ['<tool_call>g\n<arg_key>t</arg_key>\n<arg_value>"x"</arg_value>\n</tool_call>', [g('"x"')]],
    ['<tool_call>g\n<arg_key>t</arg_key>\n<arg_value>null</arg_value>\n</tool_call>', [g('null')]],
    ['<think>Ok.</think>\n<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>2</arg_value>\n</tool_call>', [f]],
  ],
  functiongemma: [['<start_function_call>call:g{t:hello}<end_function_call>', [g('hello')]]],
  'glm-4.7': [
    [
      'Ok.</think><tool_call>g<arg_key>t</arg_key><arg_value>a "b"\n<c></arg_value></tool_call><tool_call>h</tool_call>',
      [g('a "b"\n<c>'), h],
    ],
    ['Ok.</think><tool_call>f<arg_key>n</arg_key><arg_value>2</arg_value>', [f]],
    ['Ok.</think><tool_call>f<arg_key>n</arg_key><arg_value>2</tool_call><tool_call>h</tool_call>', ['f!', h]],
    ['Ok.</think><tool_call>f<arg_key>n</arg_key><arg_value>2</arg_value><tool_call>h</tool_call>', [f, h]],
    ['Ok.</think><tool_call>f<arg_key>n</arg_key></tool_call><tool_call>h</tool_call>', ['f!', h]],
  ],
  'deepseek-v3.1': [
    [
      'Hm.</think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"n": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
      [f],
    ],
  ],
  'deepseek-r1': [
    [
      'Hm.</think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"n": 2}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>h\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      [f, h],
    ],
  ],
  'deepseek-v3.2': [
    [
      'Ok.</think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="g">\n<｜DSML｜parameter name="t" string="true">a "b"\n<c></｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="h">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      [g('a "b"\n<c>'), h],
    ],
    [
      'Ok.</think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">{"n": 2}</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      ['f!'],
    ],
    [
      'Ok.</think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="f">\n<｜DSML｜parameter name="arguments" string="false">{"n": 2}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      ['f!'],
    ],
    [
      'Ok.</think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="g">\n<｜DSML｜parameter name="t" string="true">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n',
      [g('2')],
    ],
    [
      'Ok.</think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="g">\n<｜DSML｜parameter name="t" string="true">2</｜DSML｜invoke>\n<｜DSML｜invoke name="h">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
      ['g!', h],
    ],
  ],
  'minimax-m2': [
    [
      'Ok.\n</think>\n\n<minimax:tool_call>\n<invoke name="g">\n<parameter name="t">a "b"\n<c></parameter>\n</invoke>\n<invoke name="h">\n</invoke>\n</minimax:tool_call>[e~[',
      [g('a "b"\n<c>'), h],
    ],
    [
      'Ok.\n</think>\n\n<minimax:tool_call>\n<invoke name="f">\n<parameter name="n">2</invoke>\n<invoke name="h">\n</invoke>\n</minimax:tool_call>',
      ['f!', h],
    ],
  ],
  'granite-3.3': [
    ['<|tool_call|>[' + J1 + ']', [f]],
    ['<think>Hm.</think><response>x</response>', []],
  ],
  jamba: [['<tool_calls>[' + J1 + ']</tool_calls>', [f]]],
  'hunyuan-a13b': [['<think>Ok.</think><answer><tool_calls>[' + J1 + ', ' + J1 + ']</tool_calls></answer>', [f, f]]],
  'hunyuan-3': [
    [
      '<tool_calls:opensource>\n<tool_call:opensource>f<tool_sep:opensource>\n<arg_key:opensource>n</arg_key:opensource>\n<arg_value:opensource>2</arg_value:opensource>\n</tool_call:opensource>\n</tool_calls:opensource>',
      [f],
    ],
  ],
  'phi-4-mini': [
    ['functools[' + J1 + ']', [f]],
    ['<|tool_call|>[' + J1 + ']<|/tool_call|><|end|>', [f]],
    ['functools[{"name": "g", "arguments": {"t": "a]"}}]', [g('a]')]],
  ],
  gigachat3: [['Ok.<|message_sep|>\n\nfunction call<|role_sep|>\n' + J1, [f]]],
  'gigachat3.1': [['<|function_call|>' + J1, [f]]],
  longcat: [['Ok.</longcat_think><longcat_tool_call>\n' + J1 + '\n</longcat_tool_call>', [f]]],
  'longcat-2.0': [
    [
      'Ok.</longcat_think><longcat_tool_call>f\n<longcat_arg_key>n</longcat_arg_key>\n<longcat_arg_value>2</longcat_arg_value>\n</longcat_tool_call>',
      [f],
    ],
  ],
  'internlm2.5': [['<|action_start|><|plugin|>\n{"name": "f", "parameters": {"n": 2}}<|action_end|><|im_end|>', [f]]],
  internlm3: [['Ok.<|action_start|> <|plugin|>\n{"name": "f", "parameters": {"n": 2}}<|action_end|>', [f]]],
  'llama-3.1-nemotron-nano': [['Ok.\n</think>\n<TOOLCALL>[' + J1 + ']</TOOLCALL>', [f]]],
  'Llama-3_3-Nemotron-Super-49B-v1_5': [['Ok.\n</think>\n<TOOLCALL>[' + J1 + ']</TOOLCALL>', [f]]],
  'nemotron-nano-9b-v2': [['Ok.\n</think>\n<TOOLCALL>[' + J1 + ']</TOOLCALL>', [f]]],
  apertus: [
    ['<|inner_prefix|>Ok.<|inner_suffix|><|tools_prefix|>[{"f": {"n": 2}}, {"h": {}}]<|tools_suffix|>', [f, h]],
    ['<|tools_prefix|>[{"f": {"n": 2}}]', [f]],
  ],
  'hermes-3': [
    ['<tool_call>\n' + J1 + '}\n</tool_call>\n<tool_call>\n{"name":"h","arguments":{}}\n</tool_call>', [f, h]],
    ['<tool_call>' + J1 + '\n<tool_call>{"arguments":{},"name":"h"}', [f, h]],
    ['<tool_call>\n{"arguments":{"n":2},"name":"f"}\n</tool_call>', [f]],
  ],
  'command-r-plus': [['Action:\n```json\n[{"tool_name": "f", "parameters": {"n": 2}}]\n```', [f]]],
  'command-a': [
    [
      '<|START_THINKING|>x<|END_THINKING|><|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "f", "parameters": {"n": }},\n{"tool_call_id": "1", "tool_name": "h", "parameters": {}}\n]<|END_ACTION|>',
      ['f!', h],
    ],
    [
      'x<|END_THINKING|><|START_ACTION|>[\n{"tool_call_id": "0", "tool_name": "f", "parameters": {"n": 2}}\n]<|END_ACTION|>',
      [f],
    ],
  ],
  'functionary-small-v3.1': [['<function=f>{"n": 2}</function>', [f]]],
  'functionary-small-v3.2': [
    ['all\nOk.>>>g\n{"t": "a \\"b\\"\\n>>>c"}>>>h\n{}\n', [g('a "b"\n>>>c'), h]],
    ['f\n{"n": 2}', [f]],
    ['>>>g\n{"t": "a"}', [g('a')]],
  ],
  'step-3.5': [
    ['Ok.</think><tool_call>\n<function=f>\n<parameter=n>\n2\n</parameter>\n</function>\n</tool_call>', [f]],
  ],
  step3: [
    [
      '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="g"><steptml:parameter name="t">a</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      [g('a')],
    ],
    [
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="g"><steptml:parameter name="t">a < b</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
      [g('a < b')],
    ],
  ],
  'olmo-3': [
    ['Ok.<function_calls>g(t="a \\"b\\")\\nc")\nh()</function_calls>', [g('a "b")\nc'), h]],
    ['<function_calls>f(n=2)\nx(</function_calls>', [f, 'x!']],
    ['<function_calls>g(t=null)\nh()</function_calls>', ['g{"t":null}', h]],
  ],
  'llama-4': [
    ['<|python_start|>[g(t=\'a "b")]\\nc\'), h()]<|python_end|>', [g('a "b")]\nc'), h]],
    ['[f(n=2)]<|eot|>', [f]],
    ['<|python_start|>[f(n=2)]<|eom|>', [f]],
  ],
  'mistral-small-3.2': [
    [
      '[THINK]Ok.[/THINK][TOOL_CALLS]g[CALL_ID]a1B2c3D4e[ARGS]{"t": "a \\"b\\"[ARGS]\\n{c"}[TOOL_CALLS]h[CALL_ID]f5G6h7I8j[ARGS]{}',
      [g('a "b"[ARGS]\n{c'), h],
    ],
    ['g{"t": "x"}', [g('x')]],
    ['ga1B2c3D4e{"t": "x"}', []],
  ],
  'qwen3-coder': [
    [
      '<tool_call>\n<function=g>\n<parameter=t>\na "b"\n<c>\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=h>\n</function>\n</tool_call>',
      [g('a "b"\n<c>'), h],
    ],
    ['<function=f>\n<parameter=n>\n2\n</parameter>\n</function>\n</tool_call>', [f]],
    [
      '<tool_call>\n<function=f>\n<parameter=n>\n2\n</parameter>\n</function>\n<function=h>\n</function>\n</tool_call>',
      [f, h],
    ],
    [
      '<tool_call>\n<function=f\n<parameter=n>\n2\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=h>\n</function>\n</tool_call>',
      ['unreadable_call!', h],
    ],
  ],
  'seed-oss': [
    [
      '<seed:think>Ok.<seed:cot_budget_reflect>I used 10.</seed:cot_budget_reflect></seed:think>\n<seed:tool_call>\n<function=g>\n<parameter=t>\na\n</parameter>\n</function>\n</seed:tool_call><seed:eos>',
      [g('\na\n')],
    ],
    [
      '<seed:tool_call>\n<function=f>\n<parameter=n>2</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=h>\n</function>\n</seed:tool_call>',
      ['f!', h],
    ],
  ],
};
