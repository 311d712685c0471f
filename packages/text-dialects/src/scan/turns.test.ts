import type { ModelPart } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import type { DialectName } from '../dialects/dialects.ts';
import { promptFor } from '../write/prompt.ts';
import { writeResult } from '../write/results.ts';
import { indexTools } from '../read/tool-index.ts';
import { writeInDialect } from '../write/write-calls.ts';
import { dialects } from '../dialects/dialects.ts';
import { formatTools } from '../test-kit/formats.ts';
import { callsIn, cut, partsOf, textIn } from '../test-kit/text-model.ts';

const thoughtIn = (parts: readonly ModelPart[]): string =>
  parts.map((part) => (part.type === 'reasoning-delta' ? part.text : '')).join('');

const f = { name: 'f', input: { n: 2 } };
const h = { name: 'h', input: {} };

/** Whole turns: thoughts, text and calls. */
const turns: readonly (readonly [
  DialectName,
  text: string,
  thought: string,
  said: string,
  calls: readonly object[],
])[] = [
  [
    'gemma',
    '<|channel>thought\nHm.\n<channel|>Well.<|tool_call>call:f{n:2}<tool_call|><|tool_response>',
    'Hm.',
    'Well.',
    [f],
  ],
  ['gemma', 'It is done.<turn|>\n<|turn>user\nThanks', '', 'It is done.', []],
  ['functionGemma', '<start_function_call>call:f{n:2}<end_function_call><start_function_response>', '', '', [f]],
  [
    'harmony',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary<|message|>Well.<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"n":2}<|call|>',
    'Hm.',
    'Well.',
    [f],
  ],
  [
    'harmony',
    '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It is done.<|return|>',
    'Hm.',
    'It is done.',
    [],
  ],
  [
    'harmony',
    '<|start|>assistant<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>commentary to=functions.f json<|message|>{"n":2}<|call|><|start|>assistant to=functions.h<|channel|>commentary json<|message|>{}<|call|>',
    'One.',
    '',
    [f, h],
  ],
  [
    'cohere',
    '<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": {"n": 2}}]<|END_ACTION|><|END_OF_TURN_TOKEN|>',
    'Hm.',
    '',
    [f],
  ],
  [
    'cohere',
    '<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>It is done.<|END_RESPONSE|>',
    'Hm.',
    'It is done.',
    [],
  ],
  [
    'apertus',
    '<|inner_prefix|>Hm.<|inner_suffix|><|tools_prefix|>[{"f": {"n": 2}}, {"h": {}}]<|tools_suffix|>',
    'Hm.',
    '',
    [f, h],
  ],
  [
    'seed',
    '<seed:think>Hm.</seed:think>\n<seed:tool_call>\n<function=f>\n<parameter=n>2</parameter>\n</function>\n</seed:tool_call><seed:eos>',
    'Hm.',
    '',
    [f],
  ],
  [
    'hunyuan',
    '<think>Hm.</think><answer>Well.<tool_calls>[{"name": "f", "arguments": {"n": 2}}]</tool_calls></answer>',
    'Hm.',
    'Well.',
    [f],
  ],
  ['granite', '<think>Hm.</think><response>It is done.</response>', 'Hm.', 'It is done.', []],
  [
    'longcat',
    '<longcat_think>Hm.</longcat_think>\n<longcat_tool_call>\n{"name": "h", "arguments": {}}\n</longcat_tool_call>',
    'Hm.',
    '',
    [h],
  ],
  [
    'kimi',
    '<think>Hm.</think>Well.<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"n":2}<|tool_call_end|><|tool_calls_section_end|><|im_end|>',
    'Hm.',
    'Well.',
    [f],
  ],
  [
    'deepseek',
    '<think>Hm.</think>Well.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{"n": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    'Hm.',
    'Well.',
    [f],
  ],
  [
    'glm',
    '<think>Hm.</think>\n<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>2</arg_value>\n</tool_call><|observation|>',
    'Hm.',
    '',
    [f],
  ],
  [
    'gigachat',
    'Well.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "f", "arguments": {"n": 2}}',
    '',
    'Well.',
    [f],
  ],
  [
    'step',
    'Well.<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="f"><steptml:parameter name="n">2</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    '',
    'Well.',
    [f],
  ],
];

it.each(turns)('is read whole in %s: %j', async (dialect, text, thought, said, calls) => {
  for (const size of [text.length, 1, 3, 7]) {
    const parts = await partsOf(cut(text, size), { dialect, request: { tools: formatTools } });
    expect([thoughtIn(parts).trim(), textIn(parts).trim(), callsIn(parts)]).toEqual([thought, said, calls]);
  }
});

describe('the prompt lists tools as the family was trained on', () => {
  it.each<[DialectName, string]>([
    [
      'gemma',
      '<|tool>declaration:f{description:<|"|>Does f.<|"|>,parameters:{properties:{n:{type:<|"|>INTEGER<|"|>}},type:<|"|>OBJECT<|"|>}}<tool|>',
    ],
    [
      'functionGemma',
      '<start_function_declaration>declaration:h{description:<escape>Does h.<escape>,parameters:{properties:{},type:<escape>OBJECT<escape>}}<end_function_declaration>',
    ],
    ['harmony', 'namespace functions {\n\n// Does f.\ntype f = (_: {\nn?: number,\n}) => any;\n\n// Does g.'],
    ['harmony', '// Does h.\ntype h = () => any;\n\n} // namespace functions'],
    ['deepseek', '### f\nDescription: Does f.\n\nParameters: {"type":"object"'],
    ['kimi', '[{"type":"function","function":{"name":"f","description":"Does f."'],
    ['minimax', '<tools>\n<tool>{"name":"f","description":"Does f."'],
    ['seed', 'Function:\ndef f(n: int = None):\n    """Does f.'],
    ['longcat', '#### Tool name: f\n\nDescription: Does f.\n\nInputSchema: \n{'],
    ['phi', '<|tool|>[{"name":"f"'],
    ['hermes', '<tools>\n{"type":"function","function":{"name":"f","description":"Does f."'],
    ['qwenCoder', '<tools>\n{"type":"function","function":{"name":"f"'],
    ['glm', '<tools>\n{"type":"function","function":{"name":"f"'],
    ['step', '<tools>\n{"type":"function","function":{"name":"f"'],
    ['hunyuan3', '<tools>\n{"type":"function","function":{"name":"f"'],
    ['deepseekV3', '<tools>\n{"type":"function","function":{"name":"f"'],
    ['olmo', '<functions>[{"type":"function","function":{"name":"f"'],
    ['lfm', 'List of tools: [{"type":"function","function":{"name":"f"'],
    ['mistral', '[AVAILABLE_TOOLS][{"type":"function","function":{"name":"f"'],
    ['dsml', '<functions>\n{"name":"f","description":"Does f."'],
    ['dsmlV4', '### Available Tool Schemas\n\n{"name":"f","description":"Does f."'],
    ['granite', '[{"type":"function","function":{"name":"f"'],
    ['jamba', '<tool_definitions>\n{"type":"function","function":{"name":"f"'],
    ['hunyuan', '[{"type":"function","function":{"name":"f"'],
    ['gigachat', 'function descriptions<|role_sep|>\n// Does f.\ntype f = (_: {\nn?: number,\n}) => any;'],
    ['internlm', '[{"name":"f","description":"Does f."'],
    ['nemotron', '<AVAILABLE_TOOLS>[{"name":"f"'],
    ['cohere', '## Available Tools\n```json\n[{"name":"f"'],
    ['commandR', '## Available Tools\n```python\ndef f(n: int = None)'],
    ['apertus', 'Tool Capabilities:\n// Does f.\ntype f = '],
    ['functionary', `Use the function 'f' to 'Does f.'\n{"name":"f"`],
    ['pythonic', '{"type":"function","function":{"name":"f"'],
    ['llama', '{"type":"function","function":{"name":"f"'],
    ['functionary32', 'namespace functions {\n\n// Does f.\ntype f = '],
  ])('%s: %j', (name, listed) => {
    expect(promptFor(dialects[name], formatTools)).toContain(listed);
  });
});

describe('a result stands in the frame that the family was trained on', () => {
  it.each<[DialectName, string]>([
    ['gemma', '<|tool_response>response:f{value:<|"|>R<|"|>}<tool_response|>'],
    ['functionGemma', '<start_function_response>response:f{value:<escape>R<escape>}<end_function_response>'],
    ['harmony', '<|start|>functions.f to=assistant<|channel|>commentary<|message|>R<|end|>'],
    ['glm', '<tool_response>\nR\n</tool_response>'],
    ['deepseekV3', '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>R<｜tool▁output▁end｜><｜tool▁outputs▁end｜>'],
    ['deepseek', '<｜tool▁output▁begin｜>R<｜tool▁output▁end｜>'],
    ['dsml', '<function_results>\n<result>R</result>\n</function_results>'],
    ['dsmlV4', '<tool_result>R</tool_result>'],
    ['kimi', '## Return of functions.f\nR'],
    ['minimax', '<response>R</response>'],
    ['hunyuan', '<tool_response>\nR\n</tool_response>'],
    ['hunyuan3', '<tool_response>\nR\n</tool_response>'],
    ['phi', '<|tool|>R<|end|>'],
    ['gigachat', 'function result<|role_sep|>\nR<|message_sep|>'],
    ['longcat', '<longcat_tool_response>\nR\n</longcat_tool_response>'],
    ['nemotron', '<TOOL_RESPONSE>[R]</TOOL_RESPONSE>'],
    ['cohere', '<|START_TOOL_RESULT|>R<|END_TOOL_RESULT|>'],
    ['commandR', '<results>\nR\n</results>'],
    ['lfm', 'Tool result (f): "R"'],
  ])('%s: %j', (name, framed) => {
    const result = { name: 'f', isError: false, text: 'R', tools: indexTools(formatTools) };
    expect(writeResult(result, dialects[name])).toBe(framed);
  });
});

describe('calls are written as the chat template of the family writes them', () => {
  it.each<[DialectName, string]>([
    [
      'glm',
      '<tool_call>g\n<arg_key>t</arg_key>\n<arg_value>\na\n</arg_value>\n</tool_call>\n<tool_call>h\n</tool_call>',
    ],
    [
      'dsml',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="g">\n<｜DSML｜parameter name="t" string="true">\na\n</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="h">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    [
      'minimax',
      '<minimax:tool_call>\n<invoke name="g">\n<parameter name="t">\na\n</parameter>\n</invoke>\n<invoke name="h">\n</invoke>\n</minimax:tool_call>',
    ],
    [
      'seed',
      '<seed:tool_call>\n<function=g>\n<parameter=t>\na\n</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=h>\n</function>\n</seed:tool_call>',
    ],
  ])('%s: %j', (name, written) => {
    expect(writeInDialect(dialects[name], [{ name: 'g', input: { t: '\na\n' } }, h], indexTools(formatTools))).toBe(
      written,
    );
  });
});
