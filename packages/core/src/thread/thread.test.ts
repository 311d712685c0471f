import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import { createRecords } from '../records/records.ts';
import { answerQuestion } from './answer-question.ts';
import { deleteThread, listThreads } from './summary.ts';
import { messagesOf } from './messages.ts';
import { openThread } from './open-thread.ts';

const message = (id: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: id }], createdAt: 1 });

it('begins once what kept it from beginning is over', async () => {
  const records = createRecords(memoryStorage());
  let isFull = true;
  const commit: typeof records.commit = (...changes) =>
    isFull ? Promise.reject(new UtensilError('ENOSPC', 'The disk is full.')) : records.commit(...changes);
  const thread = openThread({ ...records, commit }, 'a');
  await expect(thread.append([{ type: 'message', message: message('1') }])).rejects.toMatchObject({ code: 'ENOSPC' });
  isFull = false;
  await thread.append([{ type: 'message', message: message('1') }]);
  expect(await messagesOf(thread)).toEqual([message('1')]);
});

it('goes on where its summary cannot be read, and puts that aside', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  await openThread(records, 'a').append([{ type: 'message', message: message('1') }]);
  const path = '/threads/a.json';
  const [entry] = await storage.stat([{ tree: 'records', path }]);
  await storage.commit({
    expect: [{ tree: 'records', path, etag: entry?.etag ?? null }],
    changes: [{ type: 'write', tree: 'records', path, content: new TextEncoder().encode('{') }],
    time: 2,
  });
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  await thread.append([{ type: 'message', message: message('2') }]);
  expect(problems).toEqual(['record_corrupt']);
  expect(await messagesOf(thread)).toEqual([message('1'), message('2')]);
  expect(await listThreads(records)).toMatchObject([{ id: 'a', title: '2' }]);
});

it('keeps what became of calls beside its messages, and is removed with all that belongs to it, and nothing else', async () => {
  const records = createRecords(memoryStorage());
  const [thread, other] = [openThread(records, 'a'), openThread(records, 'ab')];
  for (const each of [thread, other]) {
    await each.append([{ type: 'message', message: message('1') }]);
    await each.append([{ type: 'call-begun', callId: 'c', runId: 'r', time: 1 }]);
  }
  expect((await thread.read()).entries.map(({ entry }) => entry.type)).toEqual(['message', 'call-begun']);
  await deleteThread(records, 'a');
  const again = openThread(records, 'a');
  expect((await again.read()).entries).toEqual([]);
  expect((await listThreads(records)).map(({ id }) => id)).toEqual(['ab']);
  expect(await messagesOf(other)).toEqual([message('1')]);
});

it('leaves out what is no entry, or one of a newer version, says so, and keeps it', async () => {
  const records = createRecords(memoryStorage());
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  await records.append(['threads', 'a', 'messages'], { type: 'something newer' });
  await thread.append([{ type: 'call-approved', callId: 'c', runId: 'r', time: 1 }]);
  expect((await thread.read()).entries).toMatchObject([{ position: 2, entry: { type: 'call-approved' } }]);
  expect(new Set(problems)).toEqual(new Set(['record_corrupt']));
  expect((await records.get(['threads', 'a', 'messages', '000000000001']))?.value).toEqual({ type: 'something newer' });
});

it('threads of version 0.1 are read as they are, and go on', async () => {
  const records = createRecords(memoryStorage());
  const [log, calls] = [
    ['threads', 'a', 'messages'],
    ['threads', 'a', 'calls'],
  ];
  await records.put(['threads', 'a'], { id: 'a', title: 'Old', createdAt: 1 });
  const half = { ...message('2'), role: 'assistant', incomplete: true } as const;
  for (const each of [message('1'), half, { ...message('2'), role: 'assistant' } as const])
    await records.append(log, toJson(each));
  await records.append(calls, { type: 'call-begun', callId: 'c', runId: 'r', time: 1 });
  await records.append(calls, { type: 'compacted', before: '2', runId: 'r', time: 1 });
  const thread = openThread(records, 'a');
  expect((await messagesOf(thread)).map(({ id, incomplete }) => [id, incomplete])).toEqual([
    ['1', undefined],
    ['2', undefined],
  ]);
  expect((await thread.read()).entries.map(({ entry, position }) => [position, entry.type])).toEqual([
    [0, 'call-begun'],
    [0, 'compacted'],
    [1, 'message'],
    [2, 'message'],
    [3, 'message'],
  ]);
  expect(await thread.append([{ type: 'message', message: message('3') }])).toBe(4);
  expect(await listThreads(records)).toEqual([{ id: 'a', title: 'Old', createdAt: 1 }]);
});

it('drafts replace each other, and stay where they are once another message follows', async () => {
  const records = createRecords(memoryStorage());
  const draft = (text: string): Message => ({ ...message('d'), parts: [{ type: 'text', text }], incomplete: true });
  const thread = openThread(records, 'a');
  for (const each of [message('1'), draft('So'), draft('So far'), message('2'), draft('So far, so good')])
    await thread.append([{ type: each.incomplete ? 'draft' : 'message', message: each }]);
  const expected = [message('1'), draft('So far, so good'), message('2')];
  expect(await messagesOf(thread)).toEqual(expected);
  expect(await messagesOf(openThread(records, 'a'))).toEqual(expected);
  expect(await records.last(['threads', 'a', 'messages'])).toBe(4);
});

it('what another program drafted is kept by whoever goes on with the thread', async () => {
  const records = createRecords(memoryStorage());
  const [one, other] = [openThread(records, 'a'), openThread(records, 'a')];
  await one.append([{ type: 'draft', message: { ...message('1'), incomplete: true } }]);
  await other.append([{ type: 'message', message: message('2') }]);
  await one.append([{ type: 'message', message: message('3') }]);
  await Promise.all([
    one.append([{ type: 'message', message: message('4') }]),
    other.append([{ type: 'message', message: message('5') }]),
  ]);
  const ids = (await messagesOf(one)).map(({ id }) => id);
  expect([ids.slice(0, 3), ids.slice(3).sort()]).toEqual([
    ['1', '2', '3'],
    ['4', '5'],
  ]);
});

it('a thread that was deleted takes nothing, and one of its name can be begun anew', async () => {
  const records = createRecords(memoryStorage());
  const thread = openThread(records, 'a');
  await thread.append([{ type: 'message', message: message('1') }]);
  await records.put(['threads', 'a'], { id: 'a', title: 'Renamed', createdAt: 1 });
  await thread.append([{ type: 'message', message: message('2') }]);
  await deleteThread(records, 'a');
  const entry = { type: 'call-begun', callId: '1', runId: 'r', time: 1 } as const;
  for (const each of [{ type: 'message', message: message('3') } as const, entry])
    await expect(thread.append([each])).rejects.toMatchObject({ code: 'thread_deleted' });
  expect(await listThreads(records)).toEqual([]);
  await openThread(records, 'a').append([{ type: 'message', message: message('4') }]);
  expect(await messagesOf(thread)).toEqual([message('4')]);
});

it('an answer to a question of a thread that was deleted and begun anew was tried for ever', async () => {
  const records = createRecords(memoryStorage());
  const thread = openThread(records, 'a');
  await thread.append(['1', '2', '3', '4'].map((id) => ({ type: 'message', message: message(id) }) as const));
  await deleteThread(records, 'a');
  const call = { type: 'tool-call', callId: 'c', name: 'save', input: {}, executedBy: 'us' } as const;
  const anew: Message = { id: '5', role: 'assistant', parts: [call], createdAt: 2 };
  const asked = { callId: 'c', runId: 'r', projectId: 'p', name: 'save', input: {}, title: 'Save', time: 2 };
  const question = { type: 'question', id: 'q', kind: 'approval', effects: 'write', ...asked } as const;
  await openThread(records, 'a').append([{ type: 'message', message: anew }, question]);
  let reads = 0;
  const read: typeof thread.read = (options) =>
    ++reads > 10 ? Promise.reject(new Error('It reads again and again.')) : thread.read(options);
  const answering = answerQuestion({ ...thread, read }, { questionId: 'q', answer: 'deny' });
  await expect(answering).rejects.toMatchObject({ code: 'thread_deleted' });
});

it('a read between the commit of an append and its end made the next one leave a hole', async () => {
  const records = createRecords(memoryStorage());
  const commit: typeof records.commit = async (...given) => {
    const result = await records.commit(...given);
    await thread.read(); // as a page does that hears of the change
    return result;
  };
  const thread = openThread({ ...records, commit }, 'a');
  const entry = { type: 'message', message: message('1') } as const;
  expect(await thread.append([entry])).toBe(1);
  expect(await thread.append([{ ...entry, message: message('2') }], { ifLast: 1 })).toBe(2);
  expect((await openThread(records, 'a').read()).entries.map(({ position }) => position)).toEqual([1, 2]);
});
