import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import type { Message } from '../model/message.ts';
import { createRecords } from '../records/records.ts';
import { deleteThread, listThreads, openThread } from './thread.ts';

const message = (id: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: id }], createdAt: 1 });

it('begins once what kept it from beginning is over', async () => {
  const records = createRecords(memoryStorage());
  let isFull = true;
  const commit: typeof records.commit = (...changes) =>
    isFull ? Promise.reject(new UtensilError('ENOSPC', 'The disk is full.')) : records.commit(...changes);
  const thread = openThread({ ...records, commit }, 'a');
  await expect(thread.append(message('1'))).rejects.toMatchObject({ code: 'ENOSPC' });
  isFull = false;
  await thread.append(message('1'));
  expect(await thread.messages()).toEqual([message('1')]);
});

it('goes on where its summary cannot be read, and puts that aside', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  await openThread(records, 'a').append(message('1'));
  const path = '/threads/a.json';
  const [entry] = await storage.stat([{ tree: 'records', path }]);
  await storage.commit({
    expect: [{ tree: 'records', path, etag: entry?.etag ?? null }],
    changes: [{ type: 'write', tree: 'records', path, content: new TextEncoder().encode('{') }],
    time: 2,
  });
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  await thread.append(message('2'));
  expect(problems).toEqual(['record_corrupt']);
  expect(await thread.messages()).toEqual([message('1'), message('2')]);
  expect(await listThreads(records)).toMatchObject([{ id: 'a', title: '2' }]);
});

it('keeps its journal beside its messages, and is removed with all that belongs to it, and nothing else', async () => {
  const records = createRecords(memoryStorage());
  const [thread, other] = [openThread(records, 'a'), openThread(records, 'ab')];
  for (const each of [thread, other]) {
    await each.append(message('1'));
    await each.journal?.append({ type: 'call-begun', callId: 'c', runId: 'r', time: 1 });
  }
  expect(await thread.journal?.entries()).toEqual([{ type: 'call-begun', callId: 'c', runId: 'r', time: 1 }]);
  await deleteThread(records, 'a');
  const again = openThread(records, 'a');
  expect([await again.messages(), await again.journal?.entries()]).toEqual([[], []]);
  expect((await listThreads(records)).map(({ id }) => id)).toEqual(['ab']);
  expect(await other.messages()).toEqual([message('1')]);
});

it('leaves out of its journal what cannot be read, and says so', async () => {
  const records = createRecords(memoryStorage());
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  await records.append(['threads', 'a', 'calls'], { type: 'something else' });
  await thread.journal?.append({ type: 'call-approved', callId: 'c', runId: 'r', time: 1 });
  expect((await thread.journal?.entries())?.length).toBe(1);
});

it('drafts replace each other, and stay where they are once another message follows', async () => {
  const records = createRecords(memoryStorage());
  const draft = (text: string): Message => ({ ...message('d'), parts: [{ type: 'text', text }], incomplete: true });
  const thread = openThread(records, 'a');
  for (const each of [message('1'), draft('So'), draft('So far'), message('2'), draft('So far, so good')])
    await thread.append(each);
  const expected = [message('1'), draft('So far, so good'), message('2')];
  expect(await thread.messages()).toEqual(expected);
  expect(await openThread(records, 'a').messages()).toEqual(expected);
  expect(await records.last(['threads', 'a', 'messages'])).toBe(3);
});

it('what another program drafted is kept by whoever goes on with the thread', async () => {
  const records = createRecords(memoryStorage());
  const [one, other] = [openThread(records, 'a'), openThread(records, 'a')];
  await one.append({ ...message('1'), incomplete: true });
  await other.append(message('2'));
  await one.append(message('3'));
  await Promise.all([one.append(message('4')), other.append(message('5'))]);
  const ids = (await one.messages()).map(({ id }) => id);
  expect([ids.slice(0, 3), ids.slice(3).sort()]).toEqual([
    ['1', '2', '3'],
    ['4', '5'],
  ]);
});

it('a thread that was deleted takes nothing, and one of its name can be begun anew', async () => {
  const records = createRecords(memoryStorage());
  const thread = openThread(records, 'a');
  await thread.append(message('1'));
  await records.put(['threads', 'a'], { id: 'a', title: 'Renamed', createdAt: 1 });
  await thread.append(message('2'));
  await deleteThread(records, 'a');
  const entry = { type: 'call-begun', callId: '1', runId: 'r', time: 1 } as const;
  for (const write of [() => thread.append(message('3')), () => thread.journal?.append(entry)])
    await expect(Promise.resolve(write())).rejects.toMatchObject({ code: 'thread_deleted' });
  expect(await listThreads(records)).toEqual([]);
  await openThread(records, 'a').append(message('4'));
  expect(await thread.messages()).toEqual([message('4')]);
});
