// A conversation that somebody else is at work on. Two programs in one page have a storage each, over the same state.

import {
  answerQuestion,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  hmacSeals,
  jsonSchema,
  openThread,
  permissions,
  resolveToolset,
  run,
} from '@utensil/core';
import type { Holder, Message, Thread, ThreadEntry } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { liveElsewhere, noRun } from '../view/index.ts';
import { UtensilThread } from './thread.ts';

const save = defineTool({
  name: 'save',
  title: 'Save it',
  description: 'Saves it.',
  input: jsonSchema({ type: 'object' }),
  effects: 'write',
  execute: () => 'saved',
});
const toolset = resolveToolset(createRegistry([save]), emptySettings, {});

/** Opens one thread as often as it is called, each time as another program has it. Which of them live is for the test to say. */
function programs() {
  const state = memoryState();
  const ended = new Set<string>();
  let count = 0;
  return {
    ended,
    open(): Thread {
      const own = `program ${++count}`;
      const holder: Holder = { id: () => own, isAlive: (id) => !ended.has(id) };
      return openThread(createRecords(memoryStorage({ state })), 't', { holder });
    },
  };
}

const says = (id: string, role: Message['role'], words: string, more: Partial<Message> = {}): ThreadEntry => ({
  type: 'message',
  message: { id, role, parts: [{ type: 'text', text: words }], createdAt: 0, ...more },
});

const draft = (words: string): ThreadEntry => {
  const { message } = says('answer', 'assistant', words, { incomplete: true }) as { message: Message };
  return { type: 'draft', message };
};

/** Lets the time pass after which the owner is looked at again. */
function usePassingTime(): () => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => vi.advanceTimersByTimeAsync(2_000);
}

async function shown(thread: Thread, more: Partial<UtensilThread> = {}) {
  const element = await mount(UtensilThread, { thread, ...more });
  element.style.blockSize = '400px';
  const owners: unknown[] = [];
  element.addEventListener('utensil-owner', (event) => {
    const { owner } = (event as CustomEvent<{ owner?: { runId: string } }>).detail;
    owners.push(owner?.runId);
  });
  const notice = () => element.renderRoot.querySelector('.elsewhere')?.textContent?.trim() ?? '';
  const buttons = () =>
    [...element.renderRoot.querySelectorAll('article button')].map((each) => each.textContent.trim());
  return { element, owners, notice, buttons };
}

it('another tab’s answer was not seen before a reload: it is told who answers since when, and the answer is followed as it is written', async () => {
  const { open } = programs();
  const theirs = open();
  await theirs.append([says('question', 'user', 'Who is there?')]);
  const { element, notice, owners, buttons } = await shown(open());
  await expect.element(page.getByText('Who is there?')).toBeVisible();
  expect([notice(), owners]).toEqual(['', []]);
  expect(buttons()).toContain('Edit');

  const claim = await theirs.claim({ runId: 'theirs' });
  await expect
    .poll(notice)
    .toMatch(/^Another tab or program has been answering since \d+:\d\d.*\. You can reply when it/);
  expect(owners).toEqual(['theirs']);
  await expect.poll(buttons).toEqual(['Copy']); // nothing can be started in parallel
  for (const words of ['It', 'It is', 'It is me']) {
    await theirs.append([draft(words)], { claim });
    await expect.element(page.getByText(words, { exact: true })).toBeVisible();
  }
  expect(page.getByText('cut short').elements()).toEqual([]);
  expect(await accessibilityProblems(element)).toEqual([]);

  await theirs.append([says('answer', 'assistant', 'It is me.')], { claim, release: true });
  await expect.poll(notice).toBe('');
  expect(owners).toEqual(['theirs', undefined]);
  await expect.element(page.getByText('It is me.', { exact: true })).toBeVisible();
  expect(buttons()).toEqual(['Copy', 'Edit', 'Copy', 'Regenerate']);
  const announced = element.renderRoot.querySelector('.hidden-text[role=status]')?.textContent;
  expect(announced).toBe('Assistant: It is me.');
});

it('the notice disappears even if the owner ends without an event, and its partial answer can be continued', async () => {
  const { open, ended } = programs();
  const theirs = open();
  await theirs.append([says('question', 'user', 'Who is there?')]);
  const claim = await theirs.claim({ runId: 'theirs' });
  await theirs.append([draft('It is')], { claim });
  const pass = usePassingTime();
  const { notice, buttons, owners } = await shown(open());
  await expect.poll(notice).toContain('Another tab or program');
  expect(buttons()).not.toContain('Continue');
  ended.add('program 1');
  await pass();
  await expect.poll(notice).toBe('');
  expect(owners.at(-1)).toBeUndefined();
  await expect.poll(buttons).toContain('Continue');
  await expect.element(page.getByText('This answer was cut short.')).toBeVisible();
});

it('what another tab waits for can be answered here, and is told once', async () => {
  const { open } = programs();
  const seals = hmacSeals(new Uint8Array(32));
  const [theirs, ours] = [open(), open()];
  const model = scriptedModel([{ text: 'Let me.', calls: [{ name: 'save' }] }, { text: 'Saved.' }]);
  const asking = run({ model, toolset, thread: theirs, messages: 'Save', policy: permissions('write'), seals });
  const { element, notice } = await shown(ours);
  element.addEventListener('utensil-answer', (event) => {
    void answerQuestion(ours, { ...(event as CustomEvent).detail, seals });
  });
  await expect.element(page.getByText('Needs you', { exact: true })).toBeVisible();
  expect(notice()).toContain('Another tab or program');
  await page.getByRole('button', { name: 'Allow once' }).click();
  expect((await asking.result).status).toBe('complete');
  await expect.element(page.getByText('Saved.', { exact: true })).toBeVisible();
  await expect.element(page.getByRole('button', { name: /Save it.*Done/ })).toBeVisible();
  await expect.poll(notice).toBe('');
});

it("a run of this page does not count as another program's, and its messages are read when it is over", async () => {
  const { open } = programs();
  const thread = open();
  const { element, notice, owners } = await shown(thread);
  const notices = new Set<string>();
  const watching = setInterval(() => notices.add(notice()), 1);
  const model = scriptedModel([{ text: 'Let me.', calls: [{ name: 'save' }] }, { text: 'Saved.' }]);
  element.run = run({ model, toolset, thread, messages: 'Save' });
  await element.run.result;
  await expect.element(page.getByText('Saved.', { exact: true })).toBeVisible();
  const theirs = open();
  await theirs.append([says('more', 'user', 'And more')]); // read from the thread, after the events of the run
  await expect.element(page.getByText('And more')).toBeVisible();
  clearInterval(watching);
  expect([[...notices], owners]).toEqual([[''], []]);
  expect(page.getByText('Saved.', { exact: true }).elements()).toHaveLength(1);
});

it('a run that is refused because another tab answers says so in words, and the other answer is followed', async () => {
  const { open } = programs();
  const theirs = open();
  await theirs.append([says('question', 'user', 'Who is there?')]);
  const claim = await theirs.claim({ runId: 'theirs' });
  const thread = open();
  const { element, notice } = await shown(thread);
  element.run = run({ model: scriptedModel([]), toolset, thread, messages: 'Me too' });
  expect(await element.run.result).toMatchObject({ error: { code: 'thread_busy' } });
  await expect.poll(notice).toContain('Another tab or program');
  await theirs.append([says('answer', 'assistant', 'It is me.')], { claim, release: true });
  await expect.element(page.getByText('It is me.', { exact: true })).toBeVisible();
  await expect.poll(notice).toBe('');
});

it('a thread that cannot be read was empty: it says why, and is read as soon as somebody writes', async () => {
  const { open } = programs();
  const thread = open();
  let isBroken = true;
  const read: Thread['read'] = async (options) => {
    if (isBroken) throw new Error('The disk is gone.');
    return thread.read(options);
  };
  const { notice } = await shown({ ...thread, read });
  await expect.poll(notice).toBe('This conversation could not be loaded. The disk is gone.');
  isBroken = false;
  await thread.append([says('question', 'user', 'Who is there?')]);
  await expect.element(page.getByText('Who is there?')).toBeVisible();
  await expect.poll(notice).toBe('');
});

it('follows nothing once it left the page or has another thread, and begins again when it is back', async () => {
  const { open } = programs();
  const thread = open();
  const stops: string[] = [];
  const watched = (name: string, over: Thread): Thread => ({
    ...over,
    watch(listener) {
      const stop = over.watch(listener);
      return () => (stops.push(name), stop());
    },
  });
  const { element } = await shown(watched('first', thread));
  await expect.element(page.getByText('No messages yet')).toBeVisible();
  const box = element.parentElement;
  element.remove();
  expect(stops).toEqual(['first']);
  await thread.append([says('question', 'user', 'Who is there?')]);
  box?.append(element);
  await expect.element(page.getByText('Who is there?')).toBeVisible();
  element.thread = watched('second', openThread(createRecords(memoryStorage()), 'other'));
  await expect.element(page.getByText('No messages yet')).toBeVisible();
  expect(stops).toEqual(['first', 'first']);
});

it('an app that reads the thread itself says who has it', async () => {
  const message = (words: string): Message => (says('answer', 'assistant', words) as { message: Message }).message;
  const messages = [{ ...message('It is'), incomplete: true as const }];
  const { element, notice, buttons } = await shown(undefined as never, { messages, owner: {} });
  expect(notice()).toBe('Another tab or program is answering. You can reply when it finishes.');
  expect(buttons()).toEqual([]);
  element.owner = { since: new Date(2020, 1, 3, 14, 5).getTime() };
  await expect.poll(notice).toMatch(/since Feb 3, 2020, 2:05.PM\./);
  expect(page.getByText('Needs you').elements()).toEqual([]);
  const call = { type: 'tool-call', callId: 'c', name: 'save', input: {}, executedBy: 'us' } as const;
  element.messages = [{ ...message('It is'), parts: [call] }];
  await expect.element(page.getByText('Running')).toBeVisible();
  const asked = {
    ...call,
    id: 'q',
    kind: 'approval',
    title: 'Save it',
    effects: 'write',
    runId: 'r',
    projectId: 'p',
    time: 0,
  } as const;
  element.owner = { questions: [asked] };
  await expect.element(page.getByText('Needs you')).toBeVisible();
  element.owner = { since: 0, questions: [{ ...asked, callId: 'inside', path: ['c'] }] };
  await expect.element(page.getByText('Running')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Allow once' })).toBeVisible(); // of a run inside
  element.messages = messages;
  element.live = liveElsewhere({ messages });
  await expect.poll(notice).toContain('since');
  [element.owner, element.live] = [undefined, noRun];
  await expect.poll(buttons).toContain('Continue');
  element.owner = { since: Number.NaN };
  await expect.poll(notice).toBe('Another tab or program is answering. You can reply when it finishes.');
});

it('looks at the owner only for as long as somebody else has the thread', async () => {
  const { open } = programs();
  const thread = open();
  const owner = vi.fn<NonNullable<Thread['owner']>>(async () => thread.owner?.());
  const pass = usePassingTime();
  const { notice } = await shown({ ...thread, owner });
  const claim = await open().claim({ runId: 'theirs' });
  await expect.poll(notice).toContain('Another');
  const before = owner.mock.calls.length;
  await pass();
  await expect.poll(() => owner.mock.calls.length).toBeGreaterThan(before);
  await claim.release();
  await expect.poll(notice).toBe('');
});
