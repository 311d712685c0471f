import { createRegistry, defineTool, jsonSchema } from '@utensil/core';
import type { Registry, Tool } from '@utensil/core';
import type { McpSource, McpState } from '@utensil/interop-mcp/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { listedAgain } from './listed-again.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tool = defineTool({
  name: 'forecast',
  description: 'd',
  input: jsonSchema({ type: 'object' }),
  effects: 'read',
  execute: () => 'sunny',
});

/** A connected source that gives these answers in turn, and then its tool. */
function sourceOf(...answers: readonly (() => Promise<readonly Tool[]>)[]) {
  const list = vi.fn<McpSource['list']>(async () => [tool]);
  for (const answer of answers) list.mockImplementationOnce(answer);
  let state: McpState = 'ready';
  const source: McpSource = {
    list,
    subscribe: () => () => undefined,
    get status() {
      return { state };
    },
    onStatus: () => () => undefined,
    close: async () => undefined,
  };
  return { source, list, become: (next: McpState) => void (state = next) };
}

const fails = (): Promise<never> => Promise.reject(new Error('Busy.'));
const takes = (milliseconds: number) => (): Promise<readonly Tool[]> =>
  new Promise((resolve) => setTimeout(() => resolve([tool]), milliseconds));
const names = (registry: Registry): readonly string[] => registry.snapshot().map(({ name }) => name);

it('lists the tools again until that succeeds, with longer and longer pauses', async () => {
  const { source, list } = sourceOf(fails, fails, fails);
  const listed = vi.fn<() => void>();
  const registry = createRegistry();
  const problems: string[] = [];
  const onProblem = (problem: string): void => void problems.push(problem);
  await registry.mount(listedAgain(source, listed), { namespace: 'weather', onProblem }).ready;
  for (const [milliseconds, count] of [
    [4_000, 1],
    [5_000, 2],
    [10_000, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(milliseconds);
    expect(list).toHaveBeenCalledTimes(count);
  }
  expect([names(registry), listed.mock.calls.length]).toEqual([[], 0]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect([names(registry), listed.mock.calls.length]).toEqual([['weather_forecast'], 1]);
  expect(problems).toEqual(Array(3).fill('The tools of "weather" could not be listed: Busy.'));
  await vi.advanceTimersByTimeAsync(1_000_000);
  expect(list).toHaveBeenCalledTimes(4);
});

it('lists the tools again if they came too late', async () => {
  const { source, list } = sourceOf(takes(40_000));
  const registry = createRegistry();
  registry.mount(
    listedAgain(source, () => undefined),
    { namespace: 'weather' },
  );
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(35_000);
  expect(names(registry)).toEqual([]);
  await vi.advanceTimersByTimeAsync(11_000);
  expect(names(registry)).toEqual(['weather_forecast']);
  expect(list).toHaveBeenCalledTimes(2);
});

it('leaves a server alone whose connection is lost, or which is removed', async () => {
  for (const state of ['degraded', 'ready'] as const) {
    const { source, list, become } = sourceOf(fails);
    become(state);
    const mount = createRegistry().mount(
      listedAgain(source, () => undefined),
      { namespace: 'weather' },
    );
    await mount.ready;
    if (state === 'ready') await mount.unmount();
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(list).toHaveBeenCalledTimes(1);
  }
});
