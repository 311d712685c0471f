import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Message } from '../model/message.ts';
import { createRecords } from '../records/records.ts';
import { resume, run } from '../run/lazy-run.ts';
import { emptySettings } from '../settings/settings.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { createRegistry } from '../tool/registry.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { alternativesTo, branchOf, branchThread, lastMessageOf } from './branch.ts';
import { messagesOf } from './messages.ts';
import { openThread } from './open-thread.ts';

const toolset = resolveToolset(createRegistry(), emptySettings, {});
const says = (id: string, parentId?: string | null): Message => ({
  id,
  role: 'user',
  parts: [],
  createdAt: 0,
  ...(parentId !== undefined && { parentId }),
});
const idsOf = (messages: readonly Message[]): readonly string[] => messages.map(({ id }) => id);

const forked = [says('a'), says('b'), says('c', 'a'), says('d', 'c'), says('e', null)];

it('follows the messages back to the beginning, one without a parent to the one before it', () => {
  expect(idsOf(branchOf([says('a'), says('b'), says('c')]))).toEqual(['a', 'b', 'c']);
  expect(idsOf(branchOf(forked, 'b'))).toEqual(['a', 'b']);
  expect(idsOf(branchOf(forked, 'd'))).toEqual(['a', 'c', 'd']);
  expect(idsOf(branchOf(forked))).toEqual(['e']);
  expect(branchOf(forked, 'gone')).toEqual([]);
  expect(branchOf([])).toEqual([]);
});

it('a lost message took everything before it out of its conversation', async () => {
  const storage = memoryStorage();
  const open = () => openThread(createRecords(storage), 'a');
  for (const message of [says('a', null), says('b', 'a'), says('lost', 'b'), says('c', 'lost'), says('d', 'lost')])
    await open().append([{ type: 'message', message }]);
  expect(idsOf(await messagesOf(branchThread(open())))).toEqual(['a', 'b', 'lost', 'd']);
  const path = '/threads/a/messages/000000000003.json';
  await storage.commit({ expect: [], changes: [{ type: 'remove', tree: 'records', path }], time: 2 });
  expect(idsOf(await messagesOf(branchThread(open())))).toEqual(['a', 'b', 'd']);
  expect(idsOf(await messagesOf(branchThread(open(), 'c')))).toEqual(['a', 'b', 'c']);
  const page = async (after: number, limit?: number) =>
    (await branchThread(open()).read({ after, ...(limit && { limit }) })).lost;
  expect([await page(0), await page(0, 1), await page(1, 2), await page(3)]).toEqual([[3], undefined, [3], undefined]);
  expect(idsOf(branchOf(await messagesOf(open())))).toEqual(['a', 'b', 'd']);
});

it('a lost message was the last of its conversation, which began anew without everything before it', async () => {
  const storage = memoryStorage();
  const open = () => openThread(createRecords(storage), 'a');
  for (const message of [says('a', null), says('b', 'a'), says('lost', 'b')])
    await open().append([{ type: 'message', message }]);
  const path = '/threads/a/messages/000000000003.json';
  const change = { type: 'write', tree: 'records', path, content: new TextEncoder().encode('{') } as const;
  await storage.commit({ expect: [], changes: [change], time: 2 });
  const branch = branchThread(open(), 'lost');
  expect(idsOf(await messagesOf(branch))).toEqual(['a', 'b']);
  await branch.append([{ type: 'message', message: says('next') }]);
  expect(idsOf(await messagesOf(branchThread(open())))).toEqual(['a', 'b', 'next']);
  expect(await messagesOf(branchThread(open(), null))).toEqual([]);
});

it('a lost message was replaced by one of another branch that was stored after it', async () => {
  const storage = memoryStorage();
  const open = () => openThread(createRecords(storage), 'a');
  const stored = [
    says('q', null),
    says('a', 'q'),
    says('lost', 'a'),
    says('x', 'q'),
    says('y', 'x'),
    says('b', 'lost'),
  ];
  for (const message of stored) await open().append([{ type: 'message', message }]);
  const path = '/threads/a/messages/000000000003.json';
  await storage.commit({ expect: [], changes: [{ type: 'remove', tree: 'records', path }], time: 2 });
  expect(idsOf(await messagesOf(branchThread(open(), 'b')))).toEqual(['q', 'a', 'b']);
  expect(idsOf(await messagesOf(branchThread(open(), 'y')))).toEqual(['q', 'x', 'y']);
});

it('a message of which only a later form is left was not in the conversation of its children', async () => {
  const storage = memoryStorage();
  const open = () => openThread(createRecords(storage), 'a');
  for (const message of [says('a', null), says('b', 'a'), says('c', 'b')])
    await open().append([{ type: 'message', message }]);
  await open().append([{ type: 'revision', message: says('b', 'a') }]);
  const path = '/threads/a/messages/000000000002.json';
  await storage.commit({ expect: [], changes: [{ type: 'remove', tree: 'records', path }], time: 2 });
  expect(idsOf(await messagesOf(branchThread(open(), 'c')))).toEqual(['a', 'c', 'b']); // in the order in which they are stored
});

it('names what could stand in place of a message, and where each leads', () => {
  expect(alternativesTo(forked, 'b')).toEqual(['b', 'c']);
  expect(alternativesTo(forked, 'e')).toEqual(['a', 'e']);
  expect(alternativesTo(forked, 'gone')).toEqual([]);
  expect([lastMessageOf(forked, 'a'), lastMessageOf(forked, 'b'), lastMessageOf(forked, 'c')]).toEqual(['d', 'b', 'd']);
});

it('ends, and never gives a message twice, whatever the parents are', () => {
  const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const messages = fc.uniqueArray(
    fc.record({ id, parentId: fc.option(id, { nil: undefined }) }).map(({ id, parentId }) => says(id, parentId)),
    { selector: (message) => message.id },
  );
  fc.assert(
    fc.property(messages, id, (messages, last) => {
      const ids = idsOf(branchOf(messages, last));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.at(-1)).toBe(messages.some((message) => message.id === last) ? last : undefined);
      expect(idsOf(messages)).toEqual(expect.arrayContaining([...alternativesTo(messages, last)]));
    }),
  );
});

it('regenerates an answer as a sibling of the first one, which stays', async () => {
  const thread = openThread(createRecords(memoryStorage()), 'thread');
  const first = run({ model: scriptedModel([{ text: 'one' }]), toolset, messages: 'Say a number.', thread });
  expect(await first.result).toMatchObject({ status: 'complete', text: 'one' });
  const [question, one] = await messagesOf(thread);

  const again = branchThread(thread, question?.id);
  const model = scriptedModel([{ text: 'two' }]);
  expect(await resume({ model, toolset, thread: again }).result).toMatchObject({ status: 'complete', text: 'two' });
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user']);

  const all = await messagesOf(thread);
  const two = all.at(-1);
  expect(alternativesTo(all, two?.id ?? '')).toEqual([one?.id, two?.id]);
  expect(idsOf(branchOf(all))).toEqual([question?.id, two?.id]);
  expect(idsOf(await messagesOf(branchThread(thread, one?.id)))).toEqual([question?.id, one?.id]);
});

it('begins again from nothing, and adds what follows to its own end', async () => {
  const thread = openThread(createRecords(memoryStorage()), 'thread');
  for (const id of ['a', 'b']) await thread.append([{ type: 'message', message: says(id) }]);
  const other = branchThread(thread, null);
  await Promise.all([
    other.append([{ type: 'message', message: says('c') }]),
    other.append([{ type: 'message', message: says('d') }]),
  ]);
  await other.append([{ type: 'revision', message: { ...says('c'), createdAt: 1 } }]); // replaced where it stands
  await other.append([{ type: 'message', message: says('e') }]);
  expect(idsOf(await messagesOf(other))).toEqual(['c', 'd', 'e']);
  expect((await messagesOf(thread)).find(({ id }) => id === 'c')).toMatchObject({ parentId: null, createdAt: 1 });
  expect(idsOf(await messagesOf(branchThread(thread, 'b')))).toEqual(['a', 'b']);
});

it('keeps its end while it is read and appended to at the same time', async () => {
  const thread = openThread(createRecords(memoryStorage()), 'thread');
  const branch = branchThread(thread, null);
  const ids = Array.from({ length: 20 }, (_, index) => `m${index}`);
  await Promise.all(
    ids.flatMap((id) => [
      messagesOf(branch),
      branch.append([{ type: 'message', message: says(id) }]),
      messagesOf(branch),
    ]),
  );
  expect(idsOf(await messagesOf(branch))).toEqual(ids);
  expect(idsOf(branchOf(await messagesOf(thread)))).toEqual(ids);
});

it('leaves out no more than its own conversation did', async () => {
  const thread = openThread(createRecords(memoryStorage()), 'thread');
  for (const message of [says('a'), says('b'), says('c', 'a')]) await thread.append([{ type: 'message', message }]);
  const entry = { type: 'compacted', summary: 'what was before b', runId: 'run', time: 0 } as const;
  await thread.append([{ ...entry, before: 'b' }]);
  const compactionsOf = async (last: string): Promise<number> =>
    (await branchThread(thread, last).read()).entries.filter((each) => each.entry.type === 'compacted').length;
  expect([await compactionsOf('b'), await compactionsOf('c')]).toEqual([1, 0]);
});
