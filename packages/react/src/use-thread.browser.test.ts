import { createRecords, createRegistry, emptySettings, openThread, resolveToolset, run, textOf } from '@utensil/core';
import type { Message, Run, Thread, ThreadPage } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import type { FollowedThread } from '@utensil/elements/view';
import { createElement, StrictMode } from 'react';
import { describe, expect, it } from 'vitest';
import { later, patient, renderHook } from './test-kit/render.ts';
import { useThread } from './use-thread.ts';
import type { ThreadState } from './use-thread.ts';

interface Given {
  readonly thread: FollowedThread | undefined;
  readonly run?: Run | undefined;
}

const useGiven = ({ thread, run }: Given): ThreadState => useThread(thread, run);
const says = (id: string, text: string): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text }],
  createdAt: 0,
});
const pageOf = (message: Message): ThreadPage => ({
  entries: [{ position: 1, entry: { type: 'message', message } }],
  last: 1,
  more: false,
});
const wordsOf = ({ messages }: ThreadState): readonly string[] | undefined =>
  messages?.map(({ parts }) => textOf(parts));

describe('useThread', () => {
  it('shows what is stored, and the answer when a run has ended', async () => {
    const thread = openThread(createRecords(memoryStorage()), 't');
    await thread.append([{ type: 'message', message: says('a', 'Hello?') }]);
    const hook = renderHook<Given, ThreadState>(useGiven, { thread });
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['Hello?']);
    const [first] = hook.value().messages ?? [];
    const toolset = resolveToolset(createRegistry(), emptySettings, {});
    const started = run({ model: scriptedModel([{ text: 'Hello!' }]), toolset, thread, messages: 'Anyone?' });
    hook.again({ thread, run: started });
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['Hello?', 'Anyone?', 'Hello!']);
    expect(hook.value().messages?.[0]).toBe(first);
  });

  it('reads again on demand, and renders for nothing that is the same', async () => {
    const thread = openThread(createRecords(memoryStorage()), 't');
    await thread.append([{ type: 'message', message: says('a', 'One') }]);
    let reads = 0;
    const read: Thread['read'] = (page) => {
      reads++;
      return thread.read(page);
    };
    const hook = renderHook<Given, ThreadState>(useGiven, { thread: { read } });
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['One']);
    const before = hook.value();
    before.reload();
    await expect.poll(() => reads, patient).toBe(2);
    await thread.append([{ type: 'message', message: says('b', 'Two') }]);
    before.reload();
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['One', 'Two']);
    expect(hook.value().reload).toBe(before.reload);
    expect(hook.seen.filter((state, at) => state !== hook.seen[at - 1])).toHaveLength(3);
  });

  it('shows nothing of the thread before, even where that comes late', async () => {
    const slow = later<ThreadPage>();
    const one = { read: () => slow.promise };
    const other = { read: async () => pageOf(says('b', 'Other')) };
    const hook = renderHook<Given, ThreadState>(useGiven, { thread: one });
    hook.again({ thread: other });
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['Other']);
    slow.resolve(pageOf(says('a', 'One')));
    hook.value().reload();
    await slow.promise;
    hook.again({ thread: undefined });
    expect(hook.value().messages).toBeUndefined();
    expect(hook.seen.map(wordsOf).flat()).not.toContain('One');
  });

  it('keeps what it knows where it cannot be read again', async () => {
    let isBroken = false;
    const read = async (): Promise<ThreadPage> => {
      if (isBroken) throw new Error('The storage is blocked.');
      return pageOf(says('a', 'One'));
    };
    const hook = renderHook<Given, ThreadState>(useGiven, { thread: { read } });
    const given = hook.seen[0];
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['One']);
    isBroken = true;
    given?.reload();
    await expect
      .poll(() => hook.value().problem, patient)
      .toMatchObject({ code: 'EIO', message: 'The storage is blocked.' });
    expect(wordsOf(hook.value())).toEqual(['One']);
    isBroken = false;
    given?.reload();
    await expect.poll(() => hook.value().problem, patient).toBeUndefined();
  });

  it('another tab was not seen before a reload: the hook follows what it stores, and tells for how long it has the thread', async () => {
    const state = memoryState();
    const open = (): Thread => openThread(createRecords(memoryStorage({ state })), 't');
    const theirs = open();
    const hook = renderHook<Given, ThreadState>(useGiven, { thread: open() });
    await expect.poll(() => hook.value().messages, patient).toEqual([]);
    const claim = await theirs.claim({ runId: 'theirs' });
    await expect.poll(() => hook.value().owner, patient).toMatchObject({ runId: 'theirs' });
    const answer: Message = { ...says('a', 'It'), role: 'assistant' };
    await theirs.append([{ type: 'draft', message: { ...answer, incomplete: true } }], { claim });
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['It']);
    await theirs.append([{ type: 'message', message: answer }], { claim, release: true });
    await expect.poll(() => hook.value(), patient).not.toHaveProperty('owner');
    expect(hook.value().messages).toEqual([answer]);
  });

  it('the run of this page is nobody else, and nothing is read while its events tell all', async () => {
    const thread = openThread(createRecords(memoryStorage()), 't');
    const toolset = resolveToolset(createRegistry(), emptySettings, {});
    const started = run({ model: scriptedModel([{ text: 'Hello!' }]), toolset, thread, messages: 'Anyone?' });
    const hook = renderHook<Given, ThreadState>(useGiven, { thread, run: started });
    await expect.poll(() => wordsOf(hook.value()), patient).toEqual(['Anyone?', 'Hello!']);
    expect(hook.seen.some(({ owner }) => owner !== undefined)).toBe(false);
    expect(new Set(hook.seen.map((state) => wordsOf(state)?.length ?? 0))).toEqual(new Set([0, 2]));
  });

  it('works in strict mode, and renders no more when it is gone', async () => {
    const slow = later<ThreadPage>();
    const thread = { read: () => slow.promise };
    const toolset = resolveToolset(createRegistry(), emptySettings, {});
    const started = run({ model: scriptedModel([{ text: 'Hello!' }]), toolset, messages: 'Hi' });
    const strict = renderHook<Given, ThreadState>(useGiven, { thread }, (node) =>
      createElement(StrictMode, null, node),
    );
    const gone = renderHook<Given, ThreadState>(useGiven, { thread, run: started });
    gone.unmount();
    const renders = gone.seen.length;
    slow.resolve(pageOf(says('a', 'One')));
    await started.result;
    await expect.poll(() => wordsOf(strict.value()), patient).toEqual(['One']);
    expect(gone.seen.length).toBe(renders);
  });
});
