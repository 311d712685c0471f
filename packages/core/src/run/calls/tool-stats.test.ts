import { expect, it, vi } from 'vitest';
import type { RunEvent, RunEventBody } from '../../tool/run-event.ts';
import { permissions } from '../permission/policy.ts';
import type { RunOptions } from '../run.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import type { ScriptedTurn } from '../../testing/index.ts';
import { eventsOf, play, tool } from '../../test-kit/runs.ts';
import { failure } from '../../tool/result.ts';
import type { Tool } from '../../tool/tool.ts';
import { createToolStats } from './tool-stats.ts';
import type { ToolStats } from './tool-stats.ts';

/** The statistics of a run of these calls, each in a turn of its own. */
async function statsOf(
  calls: NonNullable<ScriptedTurn['calls']>,
  tools: readonly Tool[],
  more: Partial<RunOptions> = {},
): Promise<ToolStats> {
  const stats = createToolStats();
  const script = calls.map((call) => ({ calls: [call] }));
  for (const event of await eventsOf(play([...script, {}], tools, more))) stats.add(event);
  return stats;
}

const at = (body: RunEventBody): RunEvent => ({ ...body, runId: 'r', seq: 0, time: 7 });

const failing = tool('shaky', {
  execute: (input) => {
    if (Object.keys(input as object).length > 0) throw new Error('out of paper');
    return 'fine';
  },
});

it('counts calls and failures, and keeps the last error when a later call succeeds', async () => {
  const now = () => 1234;
  let ids = 0;
  const environment = { now, id: () => `id-${++ids}` };
  const stats = await statsOf([{ name: 'shaky', input: { a: 1 } }, { name: 'shaky' }], [failing], { environment });
  expect(stats.snapshot()).toMatchObject([
    {
      name: 'shaky',
      calls: 2,
      failures: 1,
      denials: 0,
      lastError: { text: 'Tool execution failed: out of paper', code: 'tool_failed', time: 1234 },
    },
  ]);
});

it('a tool that nobody has is counted under the name that the model gave it', async () => {
  const stats = await statsOf([{ name: 'ghost' }], []);
  expect(stats.snapshot()).toMatchObject([{ name: 'ghost', failures: 1, lastError: { code: 'unknown_tool' } }]);
});

it('what is denied or cancelled is not a failure of the tool', async () => {
  const save = tool('save', { effects: 'write' });
  const stats = await statsOf([{ name: 'save' }], [save], { policy: permissions('write'), interactive: false });
  expect(stats.snapshot()).toMatchObject([{ name: 'save', calls: 1, failures: 0, denials: 1 }]);
  const result = failure('tool_cancelled', 'Cancelled.');
  stats.add(at({ type: 'tool-end', callId: '2', name: 'save', result, durationMs: 0 }));
  expect(stats.snapshot()[0]).toMatchObject({ calls: 2, failures: 0, denials: 1 });
  expect(stats.snapshot()[0]).not.toHaveProperty('lastError');
});

it('counts what was repaired', async () => {
  const add = tool('add', {
    input: jsonSchema({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }),
  });
  const stats = await statsOf([{ name: 'add', input: { a: '1', b: '2' } }], [add]);
  expect(stats.snapshot()).toMatchObject([{ repairs: 2, failures: 0 }]);
});

it('adds up how long calls took, and leaves out those that did not run', () => {
  const stats = createToolStats();
  const ran = { output: '', modelParts: [], isError: false, toolFingerprint: 'f' } as const;
  for (const durationMs of [30, 10])
    stats.add(at({ type: 'tool-end', callId: 'a', name: 'slow', result: ran, durationMs }));
  stats.add(
    at({ type: 'tool-end', callId: 'b', name: 'slow', result: failure('invalid_input', 'No.'), durationMs: 0 }),
  );
  expect(stats.snapshot()[0]).toMatchObject({ calls: 3, duration: { last: 10, total: 40, max: 30 } });
});

it('counts the bytes and tokens that the model saw, but not those of inner calls', async () => {
  const inner = tool('inner', { execute: () => 'x'.repeat(1000) });
  const outer = tool('outer', {
    execute: async (_input, _options, { call }) => {
      await call('inner', {});
      return 'äöü€';
    },
  });
  const [first, second] = (await statsOf([{ name: 'outer' }], [inner, outer])).snapshot();
  expect(first).toMatchObject({ name: 'inner', calls: 1, shown: { bytes: 0, tokens: 0 } });
  expect(second).toMatchObject({ name: 'outer', calls: 1, shown: { bytes: 9, tokens: 5 } });
});

it('counts the calls of runs inside runs', async () => {
  const spy = tool('spy');
  const ask = tool('ask', {
    execute: async (_input, _options, context) => {
      const { result } = await context.run({ messages: 'Look.' });
      return (await result).status;
    },
  });
  const { snapshot } = await statsOf([{ name: 'ask' }, { name: 'spy' }], [spy, ask]);
  expect(snapshot().map(({ name, calls }) => [name, calls])).toEqual([
    ['spy', 1],
    ['ask', 1],
  ]);
});

it('reports each change, and gives the same snapshot until there is one', () => {
  const stats = createToolStats();
  const listener = vi.fn<() => void>();
  const end = stats.subscribe(listener);
  const before = stats.snapshot();
  stats.add(at({ type: 'run-start' }));
  expect(stats.snapshot()).toBe(before);
  expect(listener).not.toHaveBeenCalled();
  const result = failure('tool_failed', 'No.');
  stats.add(at({ type: 'tool-end', callId: 'a', name: 'a', result, durationMs: 0 }));
  expect(listener).toHaveBeenCalledTimes(1);
  expect(before).toEqual([]);
  end();
  stats.add(at({ type: 'tool-end', callId: 'b', name: 'a', result, durationMs: 0 }));
  expect(listener).toHaveBeenCalledTimes(1);
  expect(createToolStats(stats.snapshot()).snapshot()).toBe(stats.snapshot());
});
