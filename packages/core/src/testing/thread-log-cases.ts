import type { ThreadEntry } from '../thread/entry.ts';
import { messagesOf } from '../thread/messages.ts';
import { assertEqual } from './assert.ts';
import { codeOf, entriesOf, idsIn, says, sorted } from './thread-kit.ts';
import type { ThreadCase } from './thread-kit.ts';

/** Guarantees of a thread about its log. */
export const threadLogCases = {
  'keeps entries in their order, and numbers them': async (open) => {
    const [writer, reader] = [await open(), await open()];
    const marks = [
      { type: 'call-begun', callId: 'c', runId: 'r', time: 1 },
      { type: 'compacted', before: 'two', runId: 'r', time: 2 },
    ] as const;
    assertEqual(await writer.thread.append(entriesOf('one')), 1, 'the position of the first entry');
    assertEqual(await writer.thread.append([...marks, ...entriesOf('two')]), 4, 'the position of the last entry');
    const { entries, last, more } = await reader.thread.read();
    assertEqual(
      entries,
      [...entriesOf('one'), ...marks, ...entriesOf('two')].map((entry, index) => ({ position: index + 1, entry })),
      'the entries',
    );
    assertEqual([last, more], [4, false], 'the end of the log');
  },

  'keeps entries of every kind unchanged': async (open) => {
    const { thread } = await open();
    const call = { callId: 'c', name: 'save', input: { path: '/a', text: 'ä' }, runId: 'r', projectId: 'p', time: 1 };
    const question = { ...call, type: 'question', id: 'q', kind: 'approval', title: 'Save', effects: 'write' } as const;
    const entries: readonly ThreadEntry[] = [
      { type: 'run-begun', runId: 'r', time: 1 },
      ...entriesOf('a'),
      { ...question, preview: { type: 'text' }, answerers: ['ann'], expiresAt: 2, seal: 'f0' },
      { type: 'answer', questionId: 'q', answer: { input: { path: '/b' } }, by: 'ann', seal: '0f', time: 2 },
      { type: 'call-begun', callId: 'c', runId: 'r', toolFingerprint: 'f', time: 3 },
      { type: 'run-parked', runId: 'r', status: 'needs-approval', time: 4 },
      { type: 'run-ended', runId: 'r', status: 'complete', time: 5 },
    ];
    await thread.append(entries);
    const stored = (await (await open()).thread.read()).entries.map(({ entry }) => entry);
    assertEqual(stored, entries, 'the entries');
  },

  'is read page by page': async (open) => {
    const { thread } = await open();
    await thread.append(entriesOf('1', '2', '3', '4', '5'));
    const positions = async (after: number, limit: number): Promise<readonly unknown[]> => {
      const page = await thread.read({ after, limit });
      assertEqual(page.lost, undefined, 'the lost entries');
      return [page.entries.map(({ position }) => position), page.last, page.more];
    };
    assertEqual(await positions(0, 2), [[1, 2], 2, true], 'the first page');
    assertEqual(await positions(2, 2), [[3, 4], 4, true], 'the second page');
    assertEqual(await positions(4, 2), [[5], 5, false], 'the last page');
    assertEqual(await positions(5, 2), [[], 5, false], 'the page after it');
  },

  'keeps the appends of several writers apart, and loses none': async (open) => {
    const all = await Promise.all([open(), open(), open()]);
    const ids = all.flatMap((_, writer) => Array.from({ length: 8 }, (__, index) => `${writer}-${index}`));
    await Promise.all(
      all.flatMap(({ thread }, writer) =>
        ids.filter((id) => id.startsWith(`${writer}-`)).map((id) => thread.append(entriesOf(id, `${id}+`))),
      ),
    );
    for (const opened of all) {
      const found = await idsIn(opened);
      assertEqual(sorted(found), sorted(ids.flatMap((id) => [id, `${id}+`])), 'the messages');
      for (const id of ids) assertEqual(found[found.indexOf(id) + 1], `${id}+`, `the message stored with ${id}`);
    }
  },

  'takes each message once': async (open) => {
    const [one, other] = [await open(), await open()];
    await one.thread.append(entriesOf('a'));
    assertEqual(await codeOf(one.thread.append(entriesOf('b', 'a'))), 'entry_exists', 'a message that is there');
    assertEqual(await codeOf(other.thread.append(entriesOf('a'))), 'entry_exists', 'the same by another writer');
    assertEqual(await codeOf(one.thread.append(entriesOf('c', 'c'))), 'entry_exists', 'a message twice in one append');
    const racing = await Promise.all([one, other].map(({ thread }) => codeOf(thread.append(entriesOf('d')))));
    assertEqual(sorted(racing), sorted(['entry_exists', undefined]), 'two writers of one message');
    assertEqual(await idsIn(one), ['a', 'd'], 'the messages');
  },

  'stores nothing if others have written since': async (open) => {
    const [one, other] = [await open(), await open()];
    const last = await one.thread.append(entriesOf('a'));
    await other.thread.append(entriesOf('b'));
    assertEqual(
      await codeOf(one.thread.append(entriesOf('c'), { ifLast: last })),
      'thread_changed',
      'an outdated append',
    );
    assertEqual(await one.thread.append(entriesOf('d'), { ifLast: last + 1 }), last + 2, 'one that is not');
    const racing = [one, other].map(({ thread }, index) =>
      codeOf(thread.append(entriesOf(`race-${index}`), { ifLast: last + 2 })),
    );
    assertEqual(sorted(await Promise.all(racing)), sorted(['thread_changed', undefined]), 'two at the same position');
    assertEqual((await one.thread.read()).last, last + 3, 'the last position');
  },

  'has one draft, which its message replaces': async (open) => {
    const [writer, reader] = [await open(), await open()];
    await writer.thread.append(entriesOf('question'));
    for (const text of ['W', 'We', 'Well'])
      await writer.thread.append([{ type: 'draft', message: says('answer', text, 'assistant') }]);
    const draft = await reader.thread.read();
    assertEqual([draft.entries.length, draft.last], [1, 1], 'the log without the draft');
    assertEqual(draft.draft, says('answer', 'Well', 'assistant'), 'the draft');
    assertEqual(await idsIn(reader), ['question', 'answer'], 'the messages with a draft');
    await writer.thread.append([{ type: 'message', message: says('answer', 'Well, no.', 'assistant') }]);
    const { draft: gone, last } = await reader.thread.read();
    assertEqual([gone, last], [undefined, 2], 'the draft after its message');
  },

  'keeps a draft that another message follows': async (open) => {
    const [died, next] = [await open(), await open()];
    await died.thread.append(entriesOf('question'));
    await died.thread.append([{ type: 'draft', message: says('half', 'We', 'assistant') }]);
    await next.thread.append(entriesOf('again'));
    assertEqual(await idsIn(died), ['question', 'half', 'again'], 'the messages');
    assertEqual((await next.thread.read()).draft, undefined, 'the draft');
  },

  'shows the revised message in its place': async (open) => {
    const [writer, reader] = [await open(), await open()];
    await writer.thread.append(entriesOf('a', 'b'));
    await writer.thread.append([{ type: 'revision', message: says('a', 'better') }]);
    assertEqual(await messagesOf(reader.thread), [says('a', 'better'), says('b')], 'the messages');
  },

  'reports changes by other writers': async (open) => {
    const [writer, reader] = [await open(), await open()];
    let stop: () => void = () => undefined;
    const told = new Promise<boolean>((resolve) => (stop = reader.thread.watch(() => resolve(true))));
    await writer.thread.append(entriesOf('a'));
    const isTold = await Promise.race([told, new Promise<void>((wake) => void setTimeout(() => wake(), 10_000))]);
    stop();
    assertEqual(isTold, true, 'whether it reported the change');
  },

  'keeps threads apart': async (open) => {
    const [one, other] = [await open('a'), await open('a/messages')];
    await one.thread.append(entriesOf('x'));
    await other.thread.append(entriesOf('x', 'y'));
    assertEqual([await idsIn(one), await idsIn(other)], [['x'], ['x', 'y']], 'the messages of both');
  },
} satisfies Readonly<Record<string, ThreadCase>>;
