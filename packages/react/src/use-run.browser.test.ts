import {
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  run,
  UtensilError,
  noUsage,
} from '@utensil/core';
import type { Model, ModelPart, Run } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { LiveRun } from '@utensil/elements/view';
import { createElement, StrictMode } from 'react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { later, patient, render, renderHook } from './test-kit/render.ts';
import { useRun } from './use-run.ts';

const change = defineTool({
  name: 'change',
  description: 'Changes something.',
  input: jsonSchema({ type: 'object' }),
  effects: 'destructive',
  execute: () => 'changed',
});
const toolset = resolveToolset(createRegistry([change]), emptySettings, {});

interface Given {
  readonly run: Pick<Run, 'events'> | undefined;
}
const useGiven = ({ run }: Given): LiveRun => useRun(run);

const textOf = ({ messages }: LiveRun): string =>
  messages
    .filter(({ role }) => role === 'assistant')
    .flatMap(({ items }) => items.map((item) => (item.type === 'text' ? item.text : '')))
    .join('');

/** A model that streams so many deltas, with a task between any two if `spread`. */
function streaming(count: number, spread: boolean): Model {
  async function* parts(): AsyncGenerator<ModelPart> {
    const { port1, port2 } = new MessageChannel();
    port1.start();
    for (let each = 0; each < count; each++) {
      if (spread) {
        const task = new Promise((resolve) => port1.addEventListener('message', resolve, { once: true }));
        port2.postMessage('');
        await task;
      }
      yield { type: 'text-delta', text: 'a' };
    }
    port1.close();
    yield { type: 'finish', reason: 'stop', usage: noUsage };
  }
  return { info: { api: 'text', id: 'streaming' }, stream: parts };
}

describe('useRun', () => {
  it('shows the text as it comes, and how the run ends', async () => {
    const { promise: wait, resolve: goOn } = later();
    async function* stream(): AsyncGenerator<ModelPart> {
      yield { type: 'text-delta', text: 'Hello' };
      await wait;
      yield { type: 'text-delta', text: ' you' };
      yield { type: 'finish', reason: 'stop', usage: noUsage };
    }
    const started = run({ model: { info: { api: 'text', id: 'm' }, stream }, toolset, messages: 'Hi' });
    const hook = renderHook(useGiven, { run: started });
    expect(hook.value().status).toBe('idle');
    await expect.poll(() => textOf(hook.value()), patient).toBe('Hello');
    expect(hook.value().status).toBe('running');
    goOn();
    await expect.poll(() => hook.value().status, patient).toBe('complete');
    expect(textOf(hook.value())).toBe('Hello you');
    const renders = hook.seen.length;
    hook.again({ run: started });
    expect(hook.value()).toBe(hook.seen[renders - 1]);
  });

  it('asks, and continues with the answer', async () => {
    const model = scriptedModel([{ calls: [{ name: 'change' }] }, { text: 'Done.' }]);
    const started = run({ model, toolset, messages: 'Go', policy: () => 'ask' });
    const hook = renderHook(useGiven, { run: started });
    await expect.poll(() => hook.value().questions, patient).toHaveLength(1);
    const [question] = hook.value().questions;
    started.answer(question?.questionId ?? '', 'once');
    await expect.poll(() => textOf(hook.value()), patient).toBe('Done.');
    expect(hook.value().questions).toEqual([]);
  });

  it.each([false, true])(
    'renders at most once a frame, of 5,000 deltas (with tasks between them: %s)',
    async (spread) => {
      let frames = 0;
      let isOver = false;
      const tick = (): void => {
        frames++;
        if (!isOver) requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
      const started = run({ model: streaming(5_000, spread), toolset, messages: 'Hi' });
      const hook = renderHook(useGiven, { run: started });
      await expect.poll(() => hook.value().status, patient).toBe('complete');
      isOver = true;
      expect(textOf(hook.value())).toHaveLength(5_000);
      expect(hook.seen.length).toBeLessThanOrEqual(frames + 2);
      expect(hook.seen.length).toBeLessThan(1_000);
    },
  );

  it('is read once for all that show it, and never seen in two states', async () => {
    const started = run({ model: streaming(500, true), toolset, messages: 'Hi' });
    let readers = 0;
    const events: Run['events'] = (from) => {
      readers++;
      return started.events(from);
    };
    const shared = { events };
    const torn: string[] = [];
    const seen = new Map<string, LiveRun>();
    function Probe({ name }: { readonly name: string }) {
      seen.set(name, useRun(shared));
      return name;
    }
    const { box } = render(['a', 'b', 'c'].map((name) => createElement(Probe, { name, key: name })));
    const observe = (): void => {
      if (new Set(seen.values()).size > 1) torn.push('torn');
      if (seen.get('a')?.status !== 'complete') requestAnimationFrame(observe);
    };
    observe();
    await expect.poll(() => seen.get('c')?.status, patient).toBe('complete');
    expect(box.textContent).toBe('abc');
    expect(torn).toEqual([]);
    expect(readers).toBe(1);
  });

  it('shows what came meanwhile to a component that comes later, at once', async () => {
    const started = run({ model: streaming(10, false), toolset, messages: 'Hi' });
    const first = renderHook(useGiven, { run: started });
    await expect.poll(() => first.value().status, patient).toBe('complete');
    first.unmount();
    const later = renderHook(useGiven, { run: started });
    expect(later.seen).toHaveLength(1);
    expect(later.value().status).toBe('complete');
  });

  it('follows another run, and knows nothing without one', async () => {
    const [one, other] = ['One', 'Other'].map((text) =>
      run({ model: scriptedModel([{ text }]), toolset, messages: 'Hi' }),
    );
    const hook = renderHook<Given, LiveRun>(useGiven, { run: one });
    await expect.poll(() => textOf(hook.value()), patient).toBe('One');
    hook.again({ run: other });
    expect(textOf(hook.value())).toBe('');
    await expect.poll(() => textOf(hook.value()), patient).toBe('Other');
    hook.again({ run: undefined });
    expect(hook.value().status).toBe('idle');
  });

  it('works in strict mode, reads once there, and renders no more when it is gone', async () => {
    const started = run({ model: streaming(2_000, true), toolset, messages: 'Hi' });
    let readers = 0;
    const events: Run['events'] = (from) => {
      readers++;
      return started.events(from);
    };
    const hook = renderHook(useGiven, { run: { events } }, (node) => createElement(StrictMode, null, node));
    await expect.poll(() => textOf(hook.value()), patient).not.toBe('');
    hook.unmount();
    const renders = hook.seen.length;
    await started.result;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(hook.seen.length).toBe(renders);
    expect(readers).toBe(1);
  });

  it('goes on in a page that is not seen, which has no frames', async () => {
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    vi.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
    const hook = renderHook(useGiven, { run: run({ model: streaming(100, true), toolset, messages: 'Hi' }) });
    await expect.poll(() => hook.value().status, patient).toBe('complete');
    expect(textOf(hook.value())).toHaveLength(100);
  });

  it('shows that the events of a run cannot be read any more', async () => {
    async function* events(): AsyncGenerator<never> {
      yield* [];
      throw new UtensilError('stream_truncated', 'There is no connection.');
    }
    const hook = renderHook(useGiven, { run: { events } });
    await expect
      .poll(() => hook.value(), patient)
      .toMatchObject({
        status: 'error',
        error: { code: 'stream_truncated', message: 'There is no connection.' },
      });
  });
});
