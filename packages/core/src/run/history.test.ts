import { expect, it } from 'vitest';
import { arrangeHistory } from '../model/arrangement.ts';
import { callsOf, textOf } from '../model/message.ts';
import type { ModelPart } from '../model/model.ts';
import { scriptedModel } from '../testing/index.ts';
import type { ScriptedTurn } from '../testing/index.ts';
import { finish, memoryThread, play, resultsOf, streamedModel, telling, tool, toolsetOf } from '../test-kit/runs.ts';
import { resume, run } from './lazy-run.ts';
import { messagesOf } from '../thread/messages.ts';

// Traces of its runs in a conversation.

const look = tool('look', { execute: (input) => `saw ${JSON.stringify(input)}` });
const looks = (count: number): ScriptedTurn => ({ calls: Array.from({ length: count }, () => ({ name: 'look' })) });

it('[A1-05] stores calls and their results with the conversation: they are there after a reload', async () => {
  const thread = memoryThread();
  const calls = [{ name: 'look', input: { path: 'a' } }];
  const { messages } = await play([{ text: 'I look.', calls }, { text: 'Done.' }], [look], { thread }).result;
  const reloaded = JSON.parse(JSON.stringify(await messagesOf(thread))) as typeof messages;
  expect(reloaded).toEqual(messages);
  expect(reloaded.flatMap(callsOf)).toMatchObject([{ name: 'look', input: { path: 'a' }, title: 'look' }]);
  expect(resultsOf(reloaded)).toMatchObject([{ name: 'look', output: 'saw {"path":"a"}', isError: false }]);
});

it.each<[string, readonly ScriptedTurn[], readonly string[]]>([
  ['no call', [], []],
  ['one call', [looks(1)], ['saw {}']],
  ['three calls in a turn', [looks(3)], ['saw {}', 'saw {}', 'saw {}']],
  [
    'a chain of twelve',
    Array.from({ length: 12 }, (_, n): ScriptedTurn => ({ calls: [{ name: 'look', input: { n } }] })),
    Array.from({ length: 12 }, (_, n) => `saw {"n":${n}}`),
  ],
  ['an unknown tool', [{ calls: [{ name: 'gone' }] }], ['Unknown tool: gone']],
  ['a tool without arguments', [{ calls: [{ name: 'look', input: '' }] }], ['saw {}']],
  ['calls whose turn ends with `stop`', [{ ...looks(1), reason: 'stop' }], ['saw {}']],
])('[A3-05] %s: the loop goes on to the answer, and each turn is stored once', async (_, turns, outputs) => {
  const thread = memoryThread();
  const { status, text, messages } = await play([...turns, { text: 'Done.' }], [look], { thread }).result;
  expect([status, text]).toEqual(['complete', 'Done.']);
  expect(resultsOf(messages).map(({ output }) => output)).toEqual(outputs);
  expect(await messagesOf(thread)).toEqual(messages);
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(turns.length + 1);
});

it('[A3-05] a provider that fails in the second round loses nothing of the first, and the run can be resumed', async () => {
  const thread = memoryThread();
  const first = await play([looks(1), { breaks: new Error('Overloaded.') }], [look], { thread }).result;
  expect(first).toMatchObject({ status: 'error', error: { message: 'Overloaded.' } });
  const model = scriptedModel([{ text: 'Done.' }]);
  expect(await resume({ model, toolset: toolsetOf([look]), thread }).result).toMatchObject({ status: 'complete' });
  expect((await messagesOf(thread)).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
});

it('[A3-07] [S3-20] [S1-21] the next turn of the user’s has everything before it, results too', async () => {
  const thread = memoryThread();
  const before = [{ calls: [{ name: 'look', input: { path: 'a' } }] }, { text: 'I saw a.' }];
  await play(before, [look], { thread }).result;
  for (const text of ['One.', 'Two.', 'Three.'])
    await run({ model: scriptedModel([{ text }]), toolset: toolsetOf([look]), messages: text, thread }).result;
  const model = scriptedModel([{ text: 'It was a.' }]);
  await run({ model, toolset: toolsetOf([look]), messages: 'What did you see?', thread }).result;
  const [request] = model.requests;
  expect(request?.messages).toEqual(arrangeHistory((await messagesOf(thread)).slice(0, -1)));
  expect(resultsOf(request?.messages ?? [])).toMatchObject([{ output: 'saw {"path":"a"}' }]);
});

it('[S1-20] what was thought and called in every round stays visible, and is stored', async () => {
  const thread = memoryThread();
  const rounds = ['first', 'second', 'third'].map((reasoning): ScriptedTurn => ({ reasoning, ...looks(1) }));
  await play([...rounds, { reasoning: 'last', text: 'Done.' }], [look], { thread }).result;
  const parts = (await messagesOf(thread)).flatMap((message) => message.parts);
  const told = parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []));
  expect(told).toEqual(['first', 'second', 'third', 'last']);
  expect(parts.filter(({ type }) => type === 'tool-result')).toHaveLength(3);
});

it('[S3-19] the whole of a long output is stored, and the model sees its beginning and end', async () => {
  const thread = memoryThread();
  const output = `begin ${'x'.repeat(5_000)} end`;
  const long = tool('long', { execute: () => output, outputLimit: 500 });
  const played = play([{ calls: [{ name: 'long' }] }, {}], [long], { thread });
  await played.result;
  const [stored] = resultsOf(await messagesOf(thread));
  expect(stored?.output).toBe(output);
  const [shown] = resultsOf(played.model.requests[1]?.messages ?? []);
  expect(JSON.stringify(shown?.modelParts).length).toBeLessThan(1_000);
  expect(JSON.stringify(shown?.modelParts)).toMatch(/begin.* end/);
});

it('[S3-18] stores an answer while it is being streamed, whole when it ends, and once', async () => {
  let time = 0;
  const drafts: string[] = [];
  const thread = telling(memoryThread(), ({ incomplete, parts }) => {
    if (incomplete) drafts.push(textOf(parts));
  });
  const words = ['Once ', 'upon ', 'a ', 'time.'].map((text): ModelPart => ({ type: 'text-delta', text }));
  const model = streamedModel([() => [...words, finish()]]);
  const environment = { now: () => (time += 400), id: () => `id-${time++}` };
  const { messages } = await play(model, [], { thread, environment }).result;
  expect(drafts).toEqual(['Once upon ', 'Once upon a time.']);
  expect(await messagesOf(thread)).toEqual(messages);
  expect(messages.map(({ role, incomplete }) => [role, incomplete])).toEqual([
    ['user', undefined],
    ['assistant', undefined],
  ]);
});
