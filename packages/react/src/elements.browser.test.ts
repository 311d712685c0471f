import {
  createFiles,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  hmacSeals,
  jsonSchema,
  openSettings,
  openThread,
  resolveToolset,
  run,
} from '@utensil/core';
import { settingsRules } from '@utensil/core/guard';
import { isEnabled } from '@utensil/core/settings';
import type { Message, Run } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { UtensilThread as ThreadElement } from '@utensil/elements/thread';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { createElement, createRef, StrictMode } from 'react';
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { forbidDoubleUpdates } from '../../../tooling/elements/double-updates.ts';
import * as elements from './elements.ts';
import { patient, render } from './test-kit/render.ts';
import { useRun } from './use-run.ts';

const { UtensilApproval, UtensilCall, UtensilDiff, UtensilFiles, UtensilMarkdown, UtensilRules } = elements;
const { UtensilSettings, UtensilThread, UtensilValue, UtensilWaiting } = elements;

forbidDoubleUpdates();

const change = defineTool({
  name: 'change',
  title: 'Change it',
  description: 'Changes something.',
  input: jsonSchema({ type: 'object' }),
  effects: 'destructive',
  execute: () => 'changed',
});
const registry = createRegistry([change]);
const toolset = resolveToolset(registry, emptySettings, {});
const started = (): Run =>
  run({
    model: scriptedModel([{ calls: [{ name: 'change' }] }, { text: 'Done.' }]),
    toolset,
    messages: 'Go',
    policy: () => 'ask',
  });
const says = (text: string): Message => ({ id: text, role: 'user', parts: [{ type: 'text', text }], createdAt: 0 });

/** An element as a test sees it. */
type Shown = HTMLElement & Record<string, unknown>;

const find = (box: HTMLElement, name: string): Shown => {
  const found = box.querySelector<Shown>(name);
  if (found === null) throw new Error(`There is no ${name}.`);
  return found;
};

/** All the text in an element, shadow roots included. */
function textIn(node: Node): string {
  const root = node instanceof Element ? node.shadowRoot : null;
  const below = [...(root?.childNodes ?? []), ...node.childNodes].map(textIn).join(' ');
  return node.nodeName === 'STYLE' ? '' : node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? '') : below;
}

/** The first that fits, in shadow roots too. */
function deep(node: ParentNode, selector: string): HTMLElement | undefined {
  const here = node.querySelector<HTMLElement>(selector);
  if (here !== null) return here;
  for (const each of node.querySelectorAll('*')) {
    const found = each.shadowRoot === null ? undefined : deep(each.shadowRoot, selector);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('the components of elements', () => {
  it('show what they are given', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/a.md', 'a');
    const settings = await openSettings(createRecords(memoryStorage()), 'p');
    const seals = hmacSeals(new Uint8Array(32));
    const call = { callId: 'c', name: 'change', title: 'Change it', status: 'done', inner: [] } as const;
    const question = { ...call, questionId: 'q', kind: 'approval', runId: 'r', input: {}, effects: 'write' } as const;
    const waits = { ...question, id: 'q', threadId: 't', projectId: 'p', time: 0 };
    const { box } = render([
      createElement(UtensilApproval, { key: 'approval', question, registry }),
      createElement(UtensilCall, { key: 'call', call }),
      createElement(UtensilDiff, { key: 'diff', oldText: 'before', newText: 'after' }),
      createElement(UtensilFiles, { key: 'files', files }),
      createElement(UtensilMarkdown, { key: 'markdown', text: 'so *strong*' }),
      createElement(UtensilRules, { key: 'rules', rules: settingsRules(settings, { seals, scope: 'p' }), registry }),
      createElement(UtensilSettings, { key: 'settings', registry, settings, compact: true }),
      createElement(UtensilThread, { key: 'thread', messages: [says('Hello')], registry }),
      createElement(UtensilValue, { key: 'value', value: 'a value' }),
      createElement(UtensilWaiting, { key: 'waiting', questions: [waits] }),
    ]);
    const expected = {
      approval: 'Change it',
      call: 'Change it',
      diff: 'after',
      files: 'a.md',
      markdown: 'strong',
      rules: 'Change it',
      settings: 'Change it',
      thread: 'Hello',
      value: 'a value',
      waiting: 'Change it',
    };
    expect(Object.keys(elements).map((name) => name.replace('Utensil', '').toLowerCase())).toEqual(
      Object.keys(expected),
    );
    for (const [name, text] of Object.entries(expected))
      await expect.poll(() => textIn(find(box, `utensil-${name}`)), { ...patient, message: name }).toContain(text);
  });

  it('answer a question of a run through onAnswer, with the listener that was given last', async () => {
    const asked = started();
    const answers: string[] = [];
    function Question({ label }: { readonly label: string }): ReactNode {
      const [question] = useRun(asked).questions;
      return createElement(UtensilApproval, {
        question,
        registry,
        onAnswer({ detail: { questionId, answer } }) {
          answers.push(label);
          asked.answer(questionId, answer);
        },
      });
    }
    const { box, render: again } = render(createElement(StrictMode, null, createElement(Question, { label: 'first' })));
    await expect.poll(() => deep(box, '.once'), patient).toBeDefined();
    again(createElement(StrictMode, null, createElement(Question, { label: 'last' })));
    deep(box, '.once')?.click();
    expect(await asked.result).toMatchObject({ status: 'complete', text: 'Done.' });
    expect(answers).toEqual(['last']);
  });

  it('cancel one call of a run through onCancel, if the app reads the run', async () => {
    const slow = defineTool({ ...change, name: 'slow', timeoutMs: 0, execute: () => new Promise(() => undefined) });
    const model = scriptedModel([{ calls: [{ name: 'slow', callId: 'c' }] }, { text: 'Done.' }]);
    const slowly = resolveToolset(createRegistry([slow]), emptySettings, {});
    const hanging = run({ model, toolset: slowly, messages: 'Go', policy: () => 'allow' });
    function Chat(): ReactNode {
      return createElement(UtensilThread, {
        messages: [],
        live: useRun(hanging),
        canCancel: true,
        onCancel: ({ detail: { path } }) => hanging.cancel(path),
        style: { height: '400px' },
      });
    }
    const { box } = render(createElement(Chat));
    await expect.poll(() => deep(box, '.cancel'), patient).toBeDefined();
    deep(box, '.cancel')?.click();
    expect(await hanging.result).toMatchObject({ status: 'complete', text: 'Done.' });
    await expect.poll(() => textIn(box), patient).toContain('Cancelled');
  });

  it('read a thread by themselves, and tell through onOwner who else has it', async () => {
    const state = memoryState();
    const open = () => openThread(createRecords(memoryStorage({ state })), 't');
    const theirs = open();
    const owners: unknown[] = [];
    const { box } = render(
      createElement(UtensilThread, {
        thread: open(),
        onOwner: ({ detail: { owner } }) => owners.push(owner?.runId),
        style: { height: '400px' },
      }),
    );
    const claim = await theirs.claim({ runId: 'theirs' });
    await expect.poll(() => textIn(box), patient).toContain('Another tab or program has been answering since');
    await theirs.append([{ type: 'message', message: says('Hello') }], { claim, release: true });
    await expect.poll(() => owners, patient).toEqual(['theirs', undefined]);
    await expect.poll(() => textIn(box), patient).toContain('Hello');
    expect(textIn(box)).not.toContain('Another tab');
  });

  it('let what follows an event be prevented', async () => {
    const asked = started();
    const onAnswer = vi.fn<(event: Event) => void>((event) => event.preventDefault());
    const { box } = render(
      createElement(UtensilThread, { run: asked, registry, onAnswer, style: { height: '400px' } }),
    );
    await expect.poll(() => deep(box, '.once'), patient).toBeDefined();
    deep(box, '.once')?.click();
    await expect.poll(() => onAnswer.mock.calls.length, patient).toBe(1);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(deep(box, '.once')).toBeDefined();
    asked.abort();
  });

  it('change settings that others follow', async () => {
    const settings = await openSettings(createRecords(memoryStorage()), 'p');
    const { box } = render(createElement(UtensilSettings, { registry, settings }));
    await expect.poll(() => deep(box, 'input[type="checkbox"]'), patient).toBeDefined();
    deep(box, 'input[type="checkbox"]')?.click();
    await expect.poll(() => isEnabled(settings.current(), change), patient).toBe(false);
  });

  it('give an element what is new, and its own again if nothing is given', () => {
    const messages = [says('Hello')];
    const shown = (props: elements.ThreadProps): ReactNode => createElement(UtensilThread, props);
    const { box, render: again } = render(shown({ messages, canRemember: true, className: 'a', id: 'b' }));
    const element = find(box, 'utensil-thread');
    expect([element['messages'], element['canRemember'], element.className, element.id]).toEqual([
      messages,
      true,
      'a',
      'b',
    ]);
    again(shown({ messages: undefined, className: 'c' }));
    expect([element['messages'], element['canRemember'], element.className, element.id]).toEqual([[], false, 'c', '']);
    again(shown({ messages }));
    expect(element.getAttributeNames()).toEqual([]);
    expect([find(box, 'utensil-thread'), element['messages']]).toEqual([element, messages]);
  });

  it('leave what a person has changed until another value is given', async () => {
    const call = { callId: 'c', name: 'n', title: 'A call', status: 'done', inner: [] } as const;
    const shown = (open: boolean): ReactNode => createElement(UtensilCall, { call: { ...call }, open });
    const { box, render: again } = render(shown(false));
    await expect.poll(() => deep(box, 'button.line'), patient).toBeDefined();
    deep(box, 'button.line')?.click();
    again(shown(false));
    expect(find(box, 'utensil-call')['open']).toBe(true);
    again(shown(true));
    again(shown(false));
    expect(find(box, 'utensil-call')['open']).toBe(false);
  });

  it('give the element as ref, with what it was given already', () => {
    const ref = createRef<ThreadElement>();
    const held: unknown[] = [];
    const hold = (element: ThreadElement | null): void => void held.push(element?.messages.length);
    const messages = [says('Hello')];
    const { box, unmount } = render([
      createElement(UtensilThread, { key: 1, ref, messages }),
      createElement(UtensilThread, { key: 2, ref: hold, messages }),
    ]);
    expect(ref.current).toBe(find(box, 'utensil-thread'));
    expect(ref.current?.scrollToEnd).toBeTypeOf('function');
    unmount();
    expect(ref.current).toBeNull();
    expect(held).toEqual([1, undefined]);
  });

  it('hear what any element tells, and no more once they are gone', () => {
    const [onClick, onLoadImage] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const { box, unmount } = render(
      createElement(UtensilMarkdown, { text: '', onClick, onLoadImage, title: 'A text' }),
    );
    const element = find(box, 'utensil-markdown');
    element.click();
    element.dispatchEvent(new CustomEvent('utensil-load-image'));
    expect([element.title, onClick.mock.calls.length, onLoadImage.mock.calls.length]).toEqual(['A text', 1, 1]);
    unmount();
    element.dispatchEvent(new CustomEvent('utensil-load-image'));
    expect(onLoadImage).toHaveBeenCalledTimes(1);
  });

  it('take over what a server has rendered, with properties and listeners', async () => {
    const complaints = vi.spyOn(console, 'error');
    onTestFinished(() => complaints.mockRestore());
    const onLoadImage = vi.fn<() => void>();
    const node = createElement(
      StrictMode,
      null,
      createElement(
        UtensilMarkdown,
        { text: 'so *strong*', isStreaming: true, className: 'a', onLoadImage },
        'Loading',
      ),
    );
    const box = document.createElement('div');
    box.innerHTML = '<utensil-markdown class="a">Loading</utensil-markdown>'; // as server.test.ts has it
    document.body.append(box);
    const root = hydrateRoot(box, node, { onRecoverableError: complaints });
    onTestFinished(() => {
      root.unmount();
      box.remove();
    });
    const element = find(box, 'utensil-markdown');
    await expect.poll(() => textIn(element), patient).toContain('strong');
    element.dispatchEvent(new CustomEvent('utensil-load-image'));
    expect(onLoadImage).toHaveBeenCalledTimes(1);
    expect(complaints).not.toHaveBeenCalled();
  });
});
