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
  const put: typeof records.put = (...record) =>
    isFull ? Promise.reject(new UtensilError('ENOSPC', 'The disk is full.')) : records.put(...record);
  const thread = openThread({ ...records, put }, 'a');
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
