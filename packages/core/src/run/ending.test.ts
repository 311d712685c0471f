import { memoryStorage } from '@utensil/storage-memory';
import { afterEach, expect, it, vi } from 'vitest';
import { createRecords } from '../records/records.ts';
import { textOf } from '../model/message.ts';
import { scriptedModel } from '../testing/index.ts';
import type { Message } from '../model/message.ts';
import { branchThread } from '../thread/branch.ts';
import { openThread } from '../thread/open-thread.ts';
import { deleteThread, listThreads } from '../thread/summary.ts';
import {
  call,
  finish,
  gate,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  telling,
  tool,
  toolsetOf,
  until,
} from '../test-kit/runs.ts';
import { lastTurnMs } from './loop/limits.ts';
import { resume } from './lazy-run.ts';
import { messagesOf } from '../thread/messages.ts';

afterEach(() => void vi.useRealTimers());

const hang = (): Promise<never> => new Promise(() => undefined);

it.each(['the answer', 'a result'])('an abort while %s was being stored ended as an error', async (what) => {
  vi.useFakeTimers();
  const role = what === 'a result' ? 'tool' : 'assistant';
  const thread = memoryThread();
  const reached = gate();
  const stuck = telling(thread, (message) => {
    if (message.role !== role) return undefined;
    reached.open();
    return hang();
  });
  const script = what === 'a result' ? [{ text: 'Let me see.', calls: [{ name: 'look' }] }] : [{ text: 'Hello.' }];
  const played = play(script, [tool('look')], { thread: stuck });
  await reached;
  played.abort();
  await vi.advanceTimersByTimeAsync(3_000);
  const { status, error, text } = await played.result;
  expect([status, error]).toEqual(['aborted', undefined]);
  expect(text).toBe(script[0]?.text);
});

it('an abort while a draft was being stored ended as an error, without the text that had come', async () => {
  vi.useFakeTimers();
  const rest = gate();
  const thread = memoryThread();
  const stuck = telling(thread, ({ role }) => (role === 'assistant' ? hang() : undefined));
  const model = streamedModel([
    () => [{ type: 'text-delta', text: 'So' }, rest, { type: 'text-delta', text: ' far' }, hang()],
  ]);
  const played = play(model, [], { thread: stuck });
  await until(played, 'text-delta');
  await vi.advanceTimersByTimeAsync(2_000);
  rest.open();
  await vi.advanceTimersByTimeAsync(10);
  played.abort();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await played.result).toMatchObject({ status: 'aborted', text: 'So far' });
});

it('an abort did not end a run that waited for its thread', async () => {
  vi.useFakeTimers();
  const thread = memoryThread([{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 }]);
  const reached = gate();
  const read = () => (reached.open(), hang());
  const resumed = resume({ model: scriptedModel([]), toolset: toolsetOf([]), thread: { ...thread, read } });
  await reached;
  resumed.abort();
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await resumed.result).status).toBe('aborted');
});

it('a thread that cannot store anything is told, even if the run was aborted', async () => {
  const thread = memoryThread();
  const full = telling(thread, ({ role }) => {
    if (role === 'assistant') throw new Error('disk full');
  });
  const played = play([{ text: 'So far', hangs: true }], [], { thread: full });
  await until(played, 'text-delta');
  played.abort();
  expect(await played.result).toMatchObject({ status: 'aborted', error: { message: 'disk full' } });
});

it('the second end of the time dropped what was streamed of the last answer', async () => {
  vi.useFakeTimers();
  const model = streamedModel([() => [{ type: 'text-delta', text: 'So far' }, hang()]]);
  const played = play(model, [], { limits: { timeMs: 100 } });
  await vi.advanceTimersByTimeAsync(100 + lastTurnMs);
  const { status, limit, text, messages } = await played.result;
  expect([status, limit, text]).toEqual(['limit', 'time', 'So far']);
  expect(messages.at(-1)?.incomplete).toBe(true);
});

it('the second end of the time dropped what was streamed behind a call, and left calls without a result', async () => {
  vi.useFakeTimers();
  const thread = memoryThread();
  const model = streamedModel([() => [call('1', 'deaf'), { type: 'text-delta', text: 'So far' }, hang()]]);
  const played = play(model, [tool('deaf', { effects: 'write', execute: hang })], { limits: { timeMs: 100 }, thread });
  await vi.advanceTimersByTimeAsync(100 + lastTurnMs);
  const { status, limit, messages } = await played.result;
  expect([status, limit]).toEqual(['limit', 'time']);
  expect(textOf(messages[1]?.parts ?? [])).toBe('So far');
  expect(resultsOf(await messagesOf(thread)).map(({ callId }) => callId)).toEqual(['1']);
});

it.each(['whole', 'a branch'])(
  'messages of a run went on landing in its thread after that was deleted (%s)',
  async (how) => {
    const records = createRecords(memoryStorage());
    const waited = gate();
    const whole = openThread(records, 'gone');
    const played = play([{ calls: [{ name: 'wait' }] }, { text: 'Done.' }], [tool('wait', { execute: () => waited })], {
      thread: how === 'whole' ? whole : branchThread(whole),
    });
    await until(played, 'tool-start');
    await expect.poll(() => listThreads(records)).toHaveLength(1);
    await deleteThread(records, 'gone');
    waited.open();
    expect(await played.result).toMatchObject({ status: 'aborted', error: { code: 'thread_deleted' } });
    expect(await listThreads(records)).toEqual([]);
    expect((await openThread(records, 'gone').read()).entries).toEqual([]);
  },
);

it('an effect began although its thread was deleted, and its record stayed', async () => {
  const records = createRecords(memoryStorage());
  const thread = openThread(records, 'gone');
  let saved = 0;
  const save = tool('save', { effects: 'write', execute: () => ++saved });
  const played = play([{ calls: [{ name: 'save' }] }], [save], { thread, policy: () => 'ask' });
  const { questionId } = await until(played, 'approval-request');
  await deleteThread(records, 'gone');
  played.answer(questionId, 'once');
  expect(await played.result).toMatchObject({ status: 'aborted', error: { code: 'thread_deleted' } });
  expect(saved).toBe(0);
  expect((await openThread(records, 'gone').read()).entries).toEqual([]);
});

it('a resumed run recreated its thread after that was deleted', async () => {
  const records = createRecords(memoryStorage());
  const message: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };
  await openThread(records, 'gone').append([{ type: 'message', message }]);
  const rest = gate();
  const model = streamedModel([() => [{ type: 'text-delta', text: 'Hm' }, rest, finish()]]);
  const resumed = resume({ model, toolset: toolsetOf([]), thread: openThread(records, 'gone') });
  await until(resumed, 'text-delta');
  await deleteThread(records, 'gone');
  rest.open();
  expect(await resumed.result).toMatchObject({ status: 'aborted', error: { code: 'thread_deleted' } });
  expect(await listThreads(records)).toEqual([]);
});
