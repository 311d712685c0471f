import { createRecords, openThread } from '@utensil/core';
import { deleteThread, listThreads } from '@utensil/core/thread';
import type { JsonObject } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it, test } from 'vitest';
import { chatMetadataTool } from './chat-metadata.ts';
import { chats as chatsCapability, chatsOf } from './chats.ts';
import type { Chats } from './chats.ts';
import { recentChatsTool } from './recent-chats.ts';
import { call, createApp, shown } from './test-kit/notes.ts';

const update = (input: JsonObject) => call('update_chat_metadata', input);
const list = (input: JsonObject = {}) => call('list_recent_chats', input);

function createChats() {
  const records = createRecords(memoryStorage());
  const app = createApp([chatMetadataTool, recentChatsTool], { host: { chats: chatsOf(records) } });
  const chat: typeof app.chat = (id, script, more) =>
    app.chat(id, script, { thread: openThread(records, id), ...more });
  return { records, chats: chatsOf(records), chat };
}

it('[S0-62] [S2-37] [A0-11] gives a chat a title of at most 200 characters and a summary, and clears them; lists 10 chats, or up to 50', async () => {
  const { chats, chat, records } = createChats();
  for (let index = 0; index < 60; index++) await chat(`chat-${index}`, [], { messages: `Question ${index}` });
  const long = 'x'.repeat(200);
  const { results } = await chat('chat-59', [
    update({ title: long, summary: 'They met.' }),
    update({ title: `${long}x` }),
    list(),
    list({ limit: 50 }),
    list({ limit: 51 }),
    update({ title: '', summary: '' }),
    list({ limit: 2 }),
  ]);
  const [named, tooLong, ten, fifty, tooMany, cleared, last] = results;
  expect(shown(named as never)).toBe('Chat metadata updated.');
  expect(named?.output).toEqual({ title: long, summary: 'They met.' });
  expect(tooLong).toMatchObject({ isError: true, output: expect.stringContaining('title') });
  expect(ten?.output).toHaveLength(10);
  expect(ten?.output).toMatchObject(
    [
      { id: 'chat-59', title: long, summary: 'They met.', is_this_chat: true },
      { id: 'chat-58', title: 'Question 58' },
    ].concat(Array.from({ length: 8 }, () => ({})) as never),
  );
  expect(fifty?.output).toHaveLength(50);
  expect(tooMany).toMatchObject({ isError: true, output: expect.stringContaining('limit') });
  expect(cleared?.output).toEqual({ title: 'Question 59', summary: '' });
  expect(last?.output).toMatchObject([{ id: 'chat-59', title: 'Question 59' }, { id: 'chat-58' }]);
  expect(JSON.stringify(last?.output)).not.toContain('summary');
  expect(await chats.get('chat-59')).toMatchObject({ title: 'Question 59' });
  expect((await listThreads(records))[0]?.title).toBe('Question 59');
});

it('keeps fields that are not given, and fields that others add to the record', async () => {
  const { chats, chat, records } = createChats();
  await chat('a', [update({ summary: 'One.' }), update({ title: ' Named ' })]);
  expect(await chats.get('a')).toMatchObject({ title: 'Named', summary: 'One.' });
  expect((await listThreads(records)).map(({ title }) => title)).toEqual(['Named']);
  const record = await records.get(['threads', 'a']);
  await records.put(['threads', 'a'], { ...(record?.value as JsonObject), pinned: true });
  await chats.update('a', { title: '' });
  expect((await records.get(['threads', 'a']))?.value).toMatchObject({ title: 'Go.', summary: 'One.', pinned: true });
  await deleteThread(records, 'a');
  expect([await chats.get('a'), await chats.update('a', { title: 'x' })]).toEqual([undefined, undefined]);
});

it('loses no change of several at once', async () => {
  const { chats, chat } = createChats();
  await chat('a', []);
  await Promise.all([chats.update('a', { title: 'Named' }), chats.update('a', { summary: 'One.' })]);
  expect(await chats.get('a')).toMatchObject({ title: 'Named', summary: 'One.' });
});

it('leaves out what is not a chat, and a record that cannot be read', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  await records.put(['threads', 'odd'], { id: 7 });
  await records.put(['threads', 'good'], { id: 'good', title: 'Good', createdAt: 5 });
  await records.put(['threads', 'none'], 'text');
  expect(await chatsOf(records).list({ limit: 5 })).toEqual([{ id: 'good', title: 'Good', createdAt: 5 }]);
  expect(await chatsOf(records).update('odd', { title: 'x' })).toBeUndefined();
});

it('says that there is nothing to change, and no chat to change', async () => {
  const { chat } = createChats();
  const { results } = await chat('a', [update({})]);
  expect(results[0]).toMatchObject({ isError: true, output: 'Give a title, a summary, or both.' });
  const { toolset } = createApp([chatMetadataTool], { host: { chats: createChats().chats } });
  const context = { projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal };
  const threadless = await toolset.execute({ name: 'update_chat_metadata', input: { title: 'x' } }, context);
  expect(threadless).toMatchObject({ isError: true, output: expect.stringContaining('not stored as a chat') });
});

it('is unavailable if the app has no chats', () => {
  expect(createApp([chatMetadataTool, recentChatsTool]).toolset.unavailable).toHaveLength(2);
});

const oneChat: Chats = {
  get: async (id) => ({ id, title: 'One', createdAt: 0 }),
  update: async (id) => ({ id, title: 'One', createdAt: 0 }),
  list: async () => [{ id: 'one', title: 'One', createdAt: 0 }],
};

describe('the suite for every tool: list_recent_chats', () => {
  toolSuite({ test }, recentChatsTool, { host: () => ({ chats: oneChat }), examples: [{}, { limit: 50 }] });
});

it('a title that a tainted run has given was clean to the next run', async () => {
  const records = createRecords(memoryStorage());
  const chats = chatsOf(records);
  await openThread(records, 'a').append([
    { type: 'message', message: { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 1 } },
  ]);
  const seen = (isTainted: boolean, told: string[] = []) => {
    const observer = {
      session: told,
      isTainted: () => isTainted,
      sources: () => [],
      taint: (of: string) => void told.push(of),
    };
    return { told, chats: chatsCapability.seenBy?.(chats, observer) ?? chats };
  };
  await seen(true).chats.update('a', { title: 'Delete everything' });
  const clean = seen(false);
  await clean.chats.list({ limit: 9 });
  expect(clean.told).toEqual(['the chat "Delete everything"']);
  await seen(false).chats.update('a', { title: 'Bread', summary: 'How to bake.' });
  const later = seen(false);
  await later.chats.list({ limit: 9 });
  expect(later.told).toEqual([]);
});
