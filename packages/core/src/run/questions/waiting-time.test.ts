import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { changePauses, startTimer } from '../../base/pauses.ts';
import type { Pauses } from '../../base/pauses.ts';
import { scriptedModel } from '../../testing/index.ts';
import { play, resultsOf, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { Tool } from '../../tool/tool.ts';
import { guard } from '../guard/guard.ts';
import { permissions } from '../permission/policy.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hour = 3_600_000;

const save = tool('save', { effects: 'write', execute: () => 'saved' });

const outer = tool('outer', {
  execute: async (_input, _options, { call }) => (await call('save', {})).output,
});

const policy = permissions('write');

it('a tool timed out while a person thought for a minute about its inner call', async () => {
  const played = play([{ calls: [{ name: 'outer' }] }, { text: 'Done.' }], [outer, save], { policy });
  const { questionId } = await until(played, 'approval-request');
  await vi.advanceTimersByTimeAsync(hour);
  played.answer(questionId, 'once');
  const { messages, status } = await played.result;
  expect([status, resultsOf(messages)[0]?.output]).toEqual(['complete', 'saved']);
});

it('the tool’s own time still counts, before a question and after it', async () => {
  const slow = tool('slow', {
    timeoutMs: 1_000,
    async execute(_input, _options, { call }) {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await call('save', {});
      await new Promise((resolve) => setTimeout(resolve, 600));
      return 'never';
    },
  });
  const played = play([{ calls: [{ name: 'slow' }] }, { text: 'Done.' }], [slow, save], { policy });
  await until(played, 'tool-start');
  await vi.advanceTimersByTimeAsync(600);
  const { questionId } = await until(played, 'approval-request');
  await vi.advanceTimersByTimeAsync(hour);
  played.answer(questionId, 'once');
  await vi.advanceTimersByTimeAsync(399);
  expect(played.cancel('none')).toBe(false);
  await vi.advanceTimersByTimeAsync(2);
  expect(resultsOf((await played.result).messages)[0]?.output).toBe('Tool execution timed out after 1000ms');
});

it('the time of a run does not count while it waits for a person', async () => {
  const played = play([{ calls: [{ name: 'save' }] }, { text: 'Done.' }], [save], {
    policy,
    limits: { timeMs: 5_000 },
  });
  const { questionId } = await until(played, 'approval-request');
  await vi.advanceTimersByTimeAsync(hour);
  played.answer(questionId, 'once');
  expect((await played.result).status).toBe('complete');
});

it('a question of a run inside stops the time of the runs and calls around it, and of no other', async () => {
  const agent = tool('agent', {
    timeoutMs: 1_000,
    async execute(_input, _options, { run }) {
      const model = scriptedModel([{ calls: [{ name: 'save' }] }, { text: 'Saved.' }]);
      return (await (await run({ messages: 'Task', model, limits: { timeMs: 1_000 } })).result).text;
    },
  });
  const stuck = tool('stuck', { timeoutMs: 1_000, execute: () => new Promise(() => undefined) });
  const script = [{ calls: [{ name: 'agent' }, { name: 'stuck' }] }, { text: 'Done.' }];
  const played = play(script, [agent, save, stuck], { policy, limits: { timeMs: 5_000 } });
  const told = await until(played, 'sub-run');
  expect(told.callId).toBeDefined();
  let questionId = '';
  for await (const event of played.events())
    if (event.type === 'sub-run' && event.event.type === 'approval-request') {
      ({ questionId } = event.event);
      break;
    }
  await vi.advanceTimersByTimeAsync(hour);
  played.answer(questionId, 'once');
  await vi.advanceTimersByTimeAsync(0);
  const { messages, status } = await played.result;
  const outputs = resultsOf(messages).map(({ output }) => output);
  expect([status, ...outputs]).toEqual(['complete', 'Saved.', 'Tool execution timed out after 1000ms']);
});

it.each([
  ['asked', 0],
  ['not asked yet', 1],
])('a tool that left a question behind, %s, stopped the time of its run for ever', async (_, leftLater) => {
  const stuck = tool('stuck', { timeoutMs: 0, execute: () => new Promise(() => undefined) });
  const slow: Tool = { ...save, preview: () => new Promise((resolve) => setTimeout(() => resolve('later'), 30)) };
  const leaves = tool('leaves', {
    async execute(_input, _options, { call }) {
      void call('save', {});
      if (leftLater === 0) await new Promise((resolve) => setTimeout(resolve, 30));
      return 'left';
    },
  });
  const script = [{ calls: [{ name: 'leaves' }, { name: 'stuck' }] }, { text: 'Late.' }];
  const played = play(script, [leaves, leftLater === 0 ? save : slow, stuck], { policy, limits: { timeMs: 5_000 } });
  let isOver = false;
  void played.result.then(() => (isOver = true));
  await until(played, leftLater === 0 ? 'approval-request' : 'tool-end');
  await vi.advanceTimersByTimeAsync(6_000);
  expect(isOver).toBe(true);
  expect((await played.result).status).toBe('limit');
});

it('a guard in a foreign loop does not count the time that its people take', async () => {
  const ask = () => new Promise<'once'>((resolve) => setTimeout(() => resolve('once'), hour));
  const toolset = guard(toolsetOf([outer, save]), { policy, ask });
  const { signal } = new AbortController();
  const result = toolset.execute({ name: 'outer', input: {} }, { projectId: 'p', runId: 'r', callId: 'c', signal });
  await vi.advanceTimersByTimeAsync(hour);
  expect(await result).toMatchObject({ isError: false, output: 'saved' });
});

it('a timer counts what ran before each pause, in whichever order pauses come and go', () => {
  const pauses: Pauses = {};
  const ended: string[] = [];
  startTimer(pauses, { ms: 100, over: () => ended.push('first') });
  vi.advanceTimersByTime(60);
  changePauses(pauses, 1);
  changePauses(pauses, 1);
  const stop = startTimer(pauses, { ms: 10, over: () => ended.push('stopped') });
  startTimer(pauses, { ms: 10, over: () => ended.push('second') });
  stop();
  vi.advanceTimersByTime(500);
  changePauses(pauses, -1);
  vi.advanceTimersByTime(500);
  expect(ended).toEqual([]);
  changePauses(pauses, -1);
  changePauses(pauses, -1); // of one that has ended before
  vi.advanceTimersByTime(39);
  expect(ended).toEqual(['second']);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['second', 'first']);
});
