import { UtensilError, createRegistry, emptySettings, noUsage, resolveToolset, run } from '@utensil/core';
import type { ErrorCode, RunEvent } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { accessibilityProblems, mount } from '../../../../tooling/elements/mount.ts';
import { foldRun, noRun } from '../view/index.ts';
import type { LiveRun } from '../view/index.ts';
import { UtensilThread } from './thread.ts';

afterEach(() => void vi.useRealTimers());

const busy = (text: string, retryAfterMs: number) => ({
  text,
  breaks: new UtensilError('model_overloaded', 'Busy.', { retryable: true, retryAfterMs }),
});
const toolset = resolveToolset(createRegistry(), emptySettings, {});
const asked = { api: 'text', id: 'first' } as const;

/** A run as far as these events. */
function liveAfter(...bodies: readonly object[]): LiveRun {
  const begun = [{ type: 'run-start' }, { type: 'step-start', step: 1, model: asked }];
  return [...begun, ...bodies].reduce<LiveRun>(
    (live, body, seq) => foldRun(live, { ...body, runId: 'r', seq, time: 1_000_000 } as RunEvent),
    noRun,
  );
}

const retry = (more: object = {}, code: ErrorCode = 'stream_truncated') => ({
  type: 'step-retry',
  step: 1,
  attempt: 1,
  waitMs: 4_000,
  error: { code, message: 'No.' },
  model: asked,
  ...more,
});

/** Shows a run at a given time, on a clock that the test advances. */
async function shownAt(now: number, live: LiveRun) {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now });
  const element = await mount(UtensilThread, { live: noRun });
  element.live = live;
  await element.updateComplete;
  const textOf = (selector: string) => element.renderRoot.querySelector(selector)?.textContent ?? '';
  return { element, text: () => textOf('.waits'), announced: () => textOf('.hidden-text[role=status]') };
}

it('shows why a turn failed and when it is retried, in place of its partial text; then only the answer', async () => {
  const model = scriptedModel([busy('Half', 1_500), { text: 'The whole answer.' }]);
  const element = await mount(UtensilThread, { run: run({ model, toolset, messages: 'Hi' }) });
  const shown = () => element.renderRoot.querySelector('.rows')?.textContent ?? '';
  await expect.poll(shown).toContain('The service is overloaded. Trying again in 2s…');
  expect(page.getByText('Half').elements()).toEqual([]);
  expect(element.renderRoot.querySelector('.hidden-text[role=status]')?.textContent).toContain(
    'The service is overloaded.',
  );
  expect(await accessibilityProblems(element)).toEqual([]);
  await expect.element(page.getByText('The whole answer.')).toBeVisible();
  expect(shown()).not.toContain('overloaded');
  expect(page.getByText('Half').elements()).toEqual([]);
});

it('counts down what is left, which only those hear about once who do not see it', async () => {
  const { element, text, announced } = await shownAt(1_000_500, liveAfter(retry()));
  const why = 'The answer was incomplete. ';
  const seen = [text()];
  expect(announced()).toBe(`${why}Trying again in 4s…`);
  for (let second = 0; second < 2; second++) {
    vi.advanceTimersByTime(1_000);
    seen.push(text());
  }
  expect(seen).toEqual(['in 4s…', 'in 3s…', 'in 2s…'].map((when) => `${why}Trying again ${when}`));
  vi.advanceTimersByTime(2_000);
  expect(text()).toBe(`${why}Trying again…`);
  expect(vi.getTimerCount()).toBe(0);
  expect(announced()).toBe(`${why}Trying again in 4s…`);
  element.live = liveAfter(retry(), { type: 'step-start', step: 1, model: asked });
  await element.updateComplete;
  expect(text()).toBe(`${why}Trying again…`);
  expect(announced()).toBe(`${why}Trying again in 4s…`);
});

it('never has more to wait than the server asked for, and has no clock running out of the page', async () => {
  const { element, text } = await shownAt(0, liveAfter(retry()));
  expect(text()).toContain('in 4s…');
  element.remove();
  expect(vi.getTimerCount()).toBe(0);
  vi.setSystemTime(1_003_000);
  document.body.append(element);
  await element.updateComplete;
  expect(text()).toContain('in 1s…');
  element.live = liveAfter(retry(), { type: 'step-start', step: 1, model: asked }); // somebody wrote, and cut the wait short
  await element.updateComplete;
  expect(text()).toContain('Trying again…');
});

it('says in words for people why, and who is asked instead, until that one says something', async () => {
  const { element, text } = await shownAt(1_000_000, liveAfter());
  const instead = retry({ waitMs: 0, model: { api: 'text', id: 'second' } }, 'model_unauthorized');
  const follows = { type: 'step-start', step: 1, model: { api: 'text', id: 'second' } };
  const seen: string[] = [];
  for (const events of [
    [retry({}, 'model_rate_limited')],
    [retry({}, 'model_overloaded')],
    [retry({}, 'model_unreachable')],
    [instead],
    [instead, follows],
    [instead, follows, { type: 'reasoning-delta', text: 'Well' }],
  ]) {
    element.live = liveAfter(...events);
    await element.updateComplete;
    seen.push(text());
  }
  expect(seen).toEqual([
    'Too many requests. Trying again in 4s…',
    'The service is overloaded. Trying again in 4s…',
    'The service cannot be reached. Trying again in 4s…',
    'The service failed. Asking second instead…',
    'The service failed. Asking second instead…',
    '',
  ]);
});

it('shows no error of a turn that was made up for', async () => {
  const error = { code: 'stream_truncated', message: 'It broke off.' } as const;
  const { element } = await shownAt(1_000_000, liveAfter());
  const end = (reason: string) => ({ type: 'step-end', step: 1, reason, usage: noUsage });
  const message = { id: 'm', role: 'assistant', parts: [{ type: 'text', text: 'No.' }], createdAt: 0 };
  const failed = [{ type: 'error', error }, end('error'), { type: 'message', message }];
  element.live = liveAfter(...failed, end('refusal'), { type: 'run-end', status: 'refused' });
  await element.updateComplete;
  expect(element.renderRoot.querySelector('.notice')?.textContent).toContain('declined to answer');
  expect(element.renderRoot.textContent).not.toContain('It broke off.');
});
