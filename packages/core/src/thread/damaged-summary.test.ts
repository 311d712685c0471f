// The summary of a thread, damaged or moved away by another program. That is not the removal of the thread.

import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import { createRecords } from '../records/records.ts';
import type { Message } from '../model/message.ts';
import { messagesOf } from './messages.ts';
import { openThread } from './open-thread.ts';
import { deleteThread, listThreads } from './summary.ts';

const message = (id: string, createdAt: number): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text: id }],
  createdAt,
});
const said = (id: string, createdAt: number) => ({ type: 'message', message: message(id, createdAt) }) as const;
const begun = { type: 'call-begun', callId: 'c', runId: 'r', time: 1 } as const;
const key = ['threads', 'a'];

async function overwrite(storage: ReturnType<typeof memoryStorage>, text: string): Promise<void> {
  const content = new TextEncoder().encode(text);
  const change = { type: 'write', tree: 'records', path: '/threads/a.json', content } as const;
  await storage.commit({ expect: [], changes: [change], time: 2 });
}

it.each<[string, Json]>([
  ['null', null],
  ['an empty object', {}],
  ['one with another letter in a key', { id: 'a', title: '1', createdBt: 10 }],
])(
  'a summary that became %s ended its run as if the thread had been deleted, and was never listed again',
  async (_, value) => {
    const records = createRecords(memoryStorage());
    const thread = openThread(records, 'a');
    const claim = await thread.claim({ runId: 'r' });
    await thread.append([said('1', 10)], { claim });
    await records.put(key, value);
    await thread.append([begun], { claim });
    expect(await listThreads(records)).toEqual([{ id: 'a', title: '1', createdAt: 10 }]);
    await records.put(key, value);
    await openThread(records, 'a').append([said('2', 20)]);
    expect(await listThreads(records)).toEqual([{ id: 'a', title: '1', createdAt: 10 }]);
    await thread.append([said('3', 30)], { claim, release: true });
    expect((await messagesOf(openThread(records, 'a'))).map(({ id }) => id)).toEqual(['1', '2', '3']);
  },
);

it('a damaged summary that another process set aside ended the run of the first', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  const thread = openThread(records, 'a');
  const claim = await thread.claim({ runId: 'r' });
  await thread.append([said('1', 10)], { claim });
  await records.put(key, { id: 'a', title: 'Renamed', createdAt: 10 });
  await thread.append([begun], { claim });
  await overwrite(storage, '{"broken');
  const real = createRecords(storage);
  await real.setAside(key);
  await thread.append([begun], { claim });
  expect(await listThreads(records)).toEqual([{ id: 'a', title: 'Renamed', createdAt: 10 }]);
  await overwrite(storage, '{"broken');
  await openThread(records, 'a').append([begun]);
  expect(await listThreads(records)).toEqual([{ id: 'a', title: '1', createdAt: 10 }]);
  await thread.append([said('2', 20)], { claim, release: true });
  expect((await messagesOf(openThread(records, 'a'))).map(({ id }) => id)).toEqual(['1', '2']);
});

it.each([1, 2])(
  'a deleted thread of %i messages whose summary was damaged before is not begun again by its run',
  async (count) => {
    const storage = memoryStorage();
    const records = createRecords(storage);
    const thread = openThread(records, 'a');
    for (let index = 1; index <= count; index++) await thread.append([said(`${index}`, index)]);
    await records.put(key, {});
    await deleteThread(records, 'a');
    await expect(thread.append([begun])).rejects.toMatchObject({ code: 'thread_deleted' });
    await expect(thread.append([said('3', 30)])).rejects.toMatchObject({ code: 'thread_deleted' });
    expect(await storage.list({ tree: 'records', path: '/threads', depth: 9, limit: 9 })).toEqual([]);
  },
);

it('a deleted thread that was begun again is not continued by its old run, with a damaged summary or without one', async () => {
  const records = createRecords(memoryStorage());
  const thread = openThread(records, 'a');
  for (const id of ['1', '2', '3']) await thread.append([said(id, 10)]);
  await deleteThread(records, 'a');
  await openThread(records, 'a').append([said('4', 40)]);
  await records.put(key, {});
  await expect(thread.append([begun])).rejects.toMatchObject({ code: 'thread_deleted' });
  expect(await messagesOf(openThread(records, 'a'))).toHaveLength(1);
});
