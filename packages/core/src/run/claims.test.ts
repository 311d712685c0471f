// Two programs on one thread: one works, the other is told about it.

import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { createRecords } from '../records/records.ts';
import { gate, play, tool, toolsetOf, until } from '../test-kit/runs.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { testClock } from '../testing/thread-kit.ts';
import { memoryThread } from '../thread/memory-thread.ts';
import { messagesOf } from '../thread/messages.ts';
import { openThread } from '../thread/open-thread.ts';
import type { ThreadOptions } from '../thread/open-thread.ts';
import type { Holder, Thread } from '../thread/thread.ts';
import { resume } from './lazy-run.ts';

/** Opens one thread as often as it is called, each time as another program has it. */
function programs(): (options?: ThreadOptions) => Thread {
  const state = memoryState();
  return (options) => openThread(createRecords(memoryStorage({ state, namespace: 'main' })), 't', options);
}

const textsOf = async (thread: Thread): Promise<readonly unknown[]> =>
  (await messagesOf(thread)).map(({ role, parts }) => [
    role,
    parts.flatMap((part) => ('text' in part ? part.text : [])),
  ]);

it('two resumes of one thread ran an approved write twice', async () => {
  const open = programs();
  const writes: string[] = [];
  const save = (by: string) => tool('save', { effects: 'write', execute: () => writes.push(by) });
  const asked = play([{ calls: [{ name: 'save' }] }], [save('first')], { thread: open(), policy: () => 'ask' });
  await until(asked, 'approval-request');
  asked.stop();
  expect((await asked.result).status).toBe('needs-approval');

  const runs = ['a', 'b'].map((by) =>
    resume({
      model: scriptedModel([{ text: 'Saved.' }]),
      toolset: toolsetOf([save(by)]),
      thread: open(),
      policy: () => 'ask',
    }),
  );
  for (const each of runs)
    void until(each, 'approval-request').then(
      ({ questionId }) => each.answer(questionId, 'once'),
      () => undefined,
    );
  const results = await Promise.all(runs.map(({ result }) => result));
  expect(results.map(({ status, error }) => error?.code ?? status).sort()).toEqual(['complete', 'thread_busy']);
  expect(writes).toHaveLength(1);
});

it('two runs on one thread interleaved without an error', async () => {
  const open = programs();
  const [reached, rest] = [gate(), gate()];
  const wait = tool('wait', { execute: () => (reached.open(), rest) });
  const first = play([{ calls: [{ name: 'wait' }] }, { text: 'First.' }], [wait], { thread: open(), messages: 'One?' });
  await reached;
  const second = play([{ text: 'Second.' }], [], { thread: open(), messages: 'Two?' });
  expect(await second.result).toMatchObject({ status: 'error', error: { code: 'thread_busy' } });
  rest.open();
  expect((await first.result).status).toBe('complete');
  const third = play([{ text: 'Third.' }], [], { thread: open(), messages: 'Three?' });
  expect((await third.result).status).toBe('complete');
  expect(await textsOf(open())).toEqual([
    ['user', ['One?']],
    ['assistant', []],
    ['tool', []],
    ['assistant', ['First.']],
    ['user', ['Three?']],
    ['assistant', ['Third.']],
  ]);
});

it.each([
  ['over records', (open: () => Thread) => open],
  [
    'in memory',
    () =>
      (
        (thread) => () =>
          thread
      )(memoryThread('t')),
  ],
])('a run may begin as soon as another one has told its end: %s', async (_, place) => {
  const open = place(programs());
  for (const text of ['One.', 'Two.', 'Three.']) {
    const played = play([{ text }], [], { thread: open() });
    for await (const event of played.events()) if (event.type === 'error') throw new Error(event.error.message);
    const next = play([{ text }], [], { thread: open() });
    expect((await next.result).status).toBe('complete');
  }
});

it('a run whose thread was taken over went on to write', async () => {
  const open = programs();
  const clock = testClock();
  const [reached, rest] = [gate(), gate()];
  let writes = 0;
  const slow = tool('slow', { effects: 'write', execute: () => (reached.open(), rest) });
  const save = tool('save', { effects: 'write', execute: () => ++writes });
  // Its clock stands still, as that of a machine that sleeps: it renews nothing.
  const asleep = play([{ calls: [{ name: 'slow' }, { name: 'save' }] }, { text: 'Done.' }], [slow, save], {
    thread: open({ clock }),
  });
  await reached;
  const later = openAwake(open, clock.now());
  const taken = await later;
  rest.open();
  expect(await asleep.result).toMatchObject({ status: 'aborted', error: { code: 'thread_taken' } });
  expect(writes).toBe(0);
  const kept = await textsOf(open());
  await taken.release();
  expect(await textsOf(open())).toEqual(kept);
});

/** Takes the thread over from a holder that has been silent since this time. */
async function openAwake(open: ReturnType<typeof programs>, since: number) {
  const clock = testClock();
  clock.set(since + 10_000_000);
  const claiming = open({ clock }).claim({ runId: 'other' });
  const isDone = claiming.then(() => true);
  while (!(await Promise.race([isDone, clock.pass(10_000).then(() => false)])));
  return claiming;
}

it('nobody waits for the claim of a holder that is known to be dead', async () => {
  const open = programs();
  const holder = (isAlive: Holder['isAlive']): ThreadOptions => ({ holder: { id: () => 'process 1', isAlive } });
  await open(holder(() => undefined)).claim({ runId: 'died' });
  expect((await play([{ text: 'Hi' }], [], { thread: open() }).result).error?.code).toBe('thread_busy');
  const alive = open(holder(() => true));
  expect((await play([{ text: 'Hi' }], [], { thread: alive }).result).error?.code).toBe('thread_busy');
  const dead = open(holder(async (id) => id !== 'process 1'));
  expect((await play([{ text: 'Hi' }], [], { thread: dead }).result).status).toBe('complete');
});

it('a claim that comes after its run was aborted, and cannot be released, ended the program', async () => {
  const thread = programs()();
  const rest = gate();
  const tried = gate();
  const claim: Thread['claim'] = async (options) => {
    await rest;
    const taken = await thread.claim(options);
    return { ...taken, release: () => (tried.open(), Promise.reject(new Error('The disk is gone.'))) };
  };
  const aborted = play([{}], [], { thread: { ...thread, claim } });
  aborted.abort();
  expect((await aborted.result).status).toBe('aborted');
  rest.open();
  await tried; // a rejection that nobody handles fails the tests
});
