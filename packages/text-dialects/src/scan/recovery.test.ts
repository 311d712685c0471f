import { describe, expect, it } from 'vitest';
import { callsIn, partsAtEachCut, textIn, tool, tools } from '../test-kit/text-model.ts';
import type { Asked } from '../test-kit/text-model.ts';

// Near misses of calls that models write: each is read at every cut.

const weather = tool('获取天气', { 城市: { type: 'string' } });
const free = { ...tool('free', {}), inputSchema: { type: 'object' } } as const;
const roll = tool('roll', { sides: { type: 'float' } });
const request = { tools: [...tools, weather, free, roll] };

const clock = ['clock', {}];
const read = ['read_file', { path: 'a' }];
const block = '<tool_call>\n<function=clock>\n</function>\n</tool_call>';
const begun = '<tool_call>\n<function=read_file>\n<parameter=path>\na\n';

/** Each call, with the error in place of the arguments of a broken one. */
async function callsOf(text: string, dialect: Asked['dialect']): Promise<readonly (readonly unknown[])[]> {
  const parts = await partsAtEachCut(text, { request, ...(dialect !== undefined && { dialect }) });
  return callsIn(parts).map(({ name, input, invalidInput }) => [
    name,
    invalidInput === undefined ? input : invalidInput.split('\n', 1)[0]?.replace('Malformed tool invocation: ', ''),
  ]);
}

describe('a Qwen call with missing tags', () => {
  const lost = ['read_file', expect.stringContaining('the parameter "path" is not closed')];

  it.each([
    ['a parameter in the middle', `${begun}<parameter=limit>\n3\n</parameter>\n</function>\n</tool_call>\n${block}`],
    ['the last parameter', `${begun}</function>\n</tool_call>\n${block}`],
    ['parameter, function and call', `${begun}${block}`],
    ['parameter and function', `${begun}</tool_call>\n${block}`],
  ])('is told, not run with a guess, and costs no other call: no end of %s', async (_, text) => {
    for (const dialect of ['qwenCoder', 'auto'] as const) expect(await callsOf(text, dialect)).toEqual([lost, clock]);
  });

  it('does not take the parameters of the next call for its own', async () => {
    const next = '<tool_call>\n<function=read_file>\n<parameter=path>\nb\n</parameter>\n</function>\n</tool_call>';
    const calls = await callsOf(`${begun}</function>\n</tool_call>\n${next}`, 'qwenCoder');
    expect(calls).toEqual([lost, ['read_file', { path: 'b' }]]);
  });

  it.each([
    ['function', `${begun}</parameter>\n</tool_call>\n${block}`],
    ['function before a function', `${begun}</parameter>\n<function=clock>\n</function>\n</tool_call>`],
    ['call', `${begun}</parameter>\n</function>\n${block}`],
  ])('is run if all its values are closed: no end of the %s', async (_, text) => {
    expect(await callsOf(text, 'qwenCoder')).toEqual([read, clock]);
  });

  it('is told if the text ends in a value', async () => {
    expect(await callsOf(begun, 'qwenCoder')).toEqual([lost]);
  });

  it('is whole if a value mentions tags that are none of the tool', async () => {
    const content = 'A call has <parameter=x> in it, and </parameter> or </function> ends it.';
    const text = `<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`;
    expect(await callsOf(text, 'qwenCoder')).toEqual([['write_file', { path: 'a', content }]]);
  });
});

describe('what families write beside their template', () => {
  it.each<[string, Asked['dialect'], string, readonly (readonly unknown[])[]]>([
    ['Olmo 3', 'auto', 'Ok.<function_calls>read_file(path="a")\nclock()</function_calls>', [read, clock]],
    ['Llama 4', 'auto', "<|python_start|>[read_file(path='a'), clock()]<|python_end|>", [read, clock]],
    ['Llama 4, without its end', 'pythonic', '<|python_start|>[clock()]', [clock]],
    ['Llama 4, as JSON', 'pythonic', '{"name": "read_file", "parameters": {"path": "a"}}', [read]],
    ['Mistral v11', 'mistral', '[TOOL_CALLS]read_file{"path": "a"}[TOOL_CALLS]clock{}', [read, clock]],
    ['Mistral v11 with an id', 'mistral', '[TOOL_CALLS]read_file[CALL_ID]a1B2c3D4e{"path": "a"}', [read]],
    ['Mistral with blanks', 'mistral', '[TOOL_CALLS] read_file [ARGS] {"path": "a"}', [read]],
    ['LFM2, a JSON list', 'lfm', '<|tool_call_start|>[{"name": "clock", "arguments": {}}]<|tool_call_end|>', [clock]],
    ['LFM2, a JSON object', 'lfm', '<|tool_call_start|>{"name": "clock", "arguments": {}}<|tool_call_end|>', [clock]],
    ['LFM2, without tokens', 'lfm', "[read_file(path='a')]", [read]],
    ['LFM2, doubled tokens', 'lfm', '<|tool_call_start|><|tool_call_start|>[clock()]<|tool_call_end|><|tool_call_end|>', [clock]],
    ['LFM2, told twice', 'auto', '<|tool_call_start|>[clock()]<|tool_call_end|>[clock()]<|tool_call_end|>', [clock]],
    ['LFM2, told twice on lines', 'lfm', '<|tool_call_start|>[clock()]<|tool_call_end|>\n[clock()]', [clock]],
    ['Hermes, closing tag cut off', 'hermes', '<tool_call>\n{"name": "clock", "arguments": {}}\n</tool', [clock]],
    ['a tool without declared parameters', 'blocks', '<free>\n<zone>UTC</zone>\n</free>', [['free', { zone: 'UTC' }]]],
    ['a parameter of the type "float"', 'xml', '<tool:roll>\n<param:sides>1.5</param:sides>\n</tool:roll>', [['roll', { sides: 1.5 }]]],
  ])('is read once: %s', async (_, dialect, text, expected) => {
    expect(await callsOf(text, dialect)).toEqual(expected);
    expect(textIn(await partsAtEachCut(text, { request, ...(dialect !== undefined && { dialect }) }))).toMatch(/^(Ok\.)?$/);
  }); // prettier-ignore

  it.each<[Asked['dialect'], string]>([
    ['xml', '<tool:获取天气>\n<param:城市>北京</param:城市>\n</tool:获取天气>'],
    ['qwenCoder', '<tool_call>\n<function=获取天气>\n<parameter=城市>\n北京\n</parameter>\n</function>\n</tool_call>'],
    ['lfm', '<|tool_call_start|>[获取天气(城市="北京")]<|tool_call_end|>'],
    ['mistral', '[TOOL_CALLS]获取天气[ARGS]{"城市": "北京"}'],
    ['caret', '^^^获取天气\n城市: 北京\n^^^'],
  ])('has names that are not ASCII, in %s', async (dialect, text) => {
    expect(await callsOf(text, dialect)).toEqual([['获取天气', { 城市: '北京' }]]);
  });
});

describe('a value that is none', () => {
  it.each<[string, Asked['dialect'], string, string]>([
    ['an infinite number in JSON', 'hermes', '<tool_call>{"name": "search", "arguments": {"weight": 1e400}}</tool_call>', 'the number 1e400 is too large'],
    ['an infinite number in text', 'hermes', '<tool_call>{"name": "search", "arguments": "{\\"weight\\": 1e400}"}</tool_call>', '"arguments" must be a JSON object'],
    ['an infinite number in a tag', 'xml', '<tool:search><param:weight>1e400</param:weight></tool:search>', "the number 1e400 is too large"],
    ['a Python constant in JSON', 'hermes', '<tool_call>{"name": "search", "arguments": {"deep": True}}</tool_call>', 'write true'],
  ])('is told: %s', async (_, dialect, text, problem) => {
    expect(await callsOf(text, dialect)).toEqual([['search', expect.stringContaining(problem)]]);
  }); // prettier-ignore

  it('costs no call behind it, even without a closing tag', async () => {
    const broken = "<tool_call>\n{'name': 'search', 'arguments': {}}\n";
    const calls = await callsOf(`${broken}<tool_call>\n{"name": "clock", "arguments": {}}\n</tool_call>`, 'hermes');
    expect(calls).toEqual([['unreadable_call', expect.stringContaining('strings of JSON have double quotes')], clock]);
  });
});
