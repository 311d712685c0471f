import { expect, it } from 'vitest';
import { memoryGrants } from '../../run/permission/grants.ts';
import type { Grant } from '../../run/permission/grants.ts';
import { guard } from '../../run/guard/guard.ts';
import { run } from '../../run/lazy-run.ts';
import { tool, toolsetOf } from '../../test-kit/runs.ts';
import { memoryThread } from '../../thread/memory-thread.ts';
import { result } from '../../tool/result.ts';
import { scriptedModel } from '../scripted-model.ts';
import { replayThread } from './replay-thread.ts';

const turns = [{ calls: [{ name: 'build', callId: 'b' }] }, { text: 'It builds.' }, { text: 'The build has passed.' }];

it('a replay called a tool to check a background call', async () => {
  let asked = 0;
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => void (end = resolve));
  const build = tool('build', {
    effects: 'write',
    execute: () => result({ output: 'It has begun.', detached: { build: 1 } }),
    settle: async () => (asked++, await ended, 'passed'),
  });
  const thread = memoryThread('t');
  const playing = run({ model: scriptedModel(turns), toolset: toolsetOf([build]), thread, messages: 'Build.' });
  for await (const event of playing.events())
    if (event.type === 'message' && JSON.stringify(event.message).includes('It builds.')) end();
  expect((await playing.result).status).toBe('complete');
  expect(asked).toBe(1);
  expect(await replayThread(thread, { toolset: [build] })).toEqual({ runs: 1, steps: 3, notes: [] });
  expect(asked).toBe(1);
});

it('a replay of a call that was left in the background began to wait for it', async () => {
  let asked = 0;
  const build = tool('build', {
    effects: 'write',
    execute: () => result({ output: 'It has begun.', detached: { build: 1 } }),
    settle: () => (asked++, 'passed'),
  });
  const slow = { ...build, settle: () => new Promise<never>(() => undefined) };
  const thread = memoryThread('t');
  const model = scriptedModel(turns);
  const toolset = toolsetOf([slow]);
  const first = run({ model, toolset, thread, messages: 'Build.', detached: { parkAfterMs: 0 } });
  expect((await first.result).status).toBe('needs-results');
  expect(await replayThread(thread, { toolset: [build] })).toEqual({ runs: 1, steps: 2, notes: [] });
  expect(asked).toBe(0);
});

it('what was nested without end in an exported thread was imported, and overflowed the stack of its replay', async () => {
  const nested = (levels: number): string => {
    const input = '{"a":'.repeat(levels) + '0' + '}'.repeat(levels);
    const call = `{"type":"tool-call","callId":"c","name":"look","executedBy":"us","input":${input}}`;
    const turn = `"role":"assistant","createdAt":0,"runId":"r","origin":{"api":"text","model":"m"},"parts":[${call}]`;
    const head = { format: 'utensil-thread', version: 1, id: 't', lines: 1 };
    return `${JSON.stringify(head)}\n{"entry":{"id":"1",${turn}}}\n`;
  };
  const toolset = [tool('look')];
  expect(await replayThread(nested(1_900), { toolset })).toMatchObject({ runs: 1 });
  await expect(replayThread(nested(20_000), { toolset })).rejects.toMatchObject({ code: 'bundle_corrupt' });
});

it.each(['guard', 'options'])(
  'an answer in a thread was stored as a lasting grant when it was replayed: %s',
  async (by) => {
    const stored: Grant[] = [];
    const keeping = () => ({ ...memoryGrants(), add: (grant: Grant) => void stored.push(grant) });
    const save = tool('save', { effects: 'write', execute: () => 'saved' });
    const thread = memoryThread('t');
    const playing = run({
      model: scriptedModel([{ calls: [{ name: 'save' }] }, { text: 'Saved.' }]),
      toolset: toolsetOf([save]),
      policy: () => 'ask',
      grants: memoryGrants(),
      thread,
      messages: 'Save it.',
    });
    for await (const event of playing.events())
      if (event.type === 'approval-request') playing.answer(event.questionId, 'always');
    expect((await playing.result).status).toBe('complete');
    let people = 0;
    const options =
      by === 'guard'
        ? {
            toolset: guard(toolsetOf([save]), {
              policy: () => 'ask',
              grants: keeping(),
              ask: () => (people++, 'always'),
            }),
          }
        : { toolset: [save], policy: () => 'ask' as const, grants: keeping() };
    expect(await replayThread(thread, options)).toEqual({ runs: 1, steps: 2, notes: [] });
    expect({ stored, people }).toEqual({ stored: [], people: 0 });
  },
);
