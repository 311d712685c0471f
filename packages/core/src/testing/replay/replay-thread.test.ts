import { expect, it } from 'vitest';
import { memoryThread } from '../../thread/memory-thread.ts';
import { run } from '../../run/lazy-run.ts';
import { tool, toolsetOf } from '../../test-kit/runs.ts';
import { scriptedModel } from '../scripted-model.ts';
import { replayThread } from './replay-thread.ts';
import { exportThread } from '../../thread/export-thread.ts';

const save = tool('save', { effects: 'write', execute: () => 'saved' });
const look = tool('look');

async function stored() {
  const thread = memoryThread('t');
  const model = scriptedModel([
    { text: 'Let me see.', calls: [{ name: 'look' }, { name: 'save', input: { text: 'a' } }] },
    { text: 'Saved.' },
  ]);
  await run({ model, toolset: toolsetOf([save, look]), thread, messages: 'Save it.' }).result;
  return thread;
}

it('replays a stored thread without a difference, and executes nothing', async () => {
  let executed = 0;
  const counting = [save, look].map((each) => ({ ...each, execute: () => (executed++, 'other') }));
  const thread = await stored();
  expect(await replayThread(thread, { toolset: counting })).toEqual({ runs: 1, steps: 2, notes: [] });
  expect(await replayThread(await exportThread(thread), { toolset: counting })).toMatchObject({ steps: 2 });
  expect(executed).toBe(0);
});

it('names the first divergence and its place', async () => {
  const thread = await stored();
  const { divergence } = await replayThread(thread, { toolset: [look] });
  expect({ ...divergence, runId: '…' }).toMatchInlineSnapshot(`
    {
      "callId": "call-2",
      "entry": 6,
      "expected": "saved",
      "field": "parts[0].output",
      "got": "Unknown tool: save",
      "message": "Entry 6 (the result of call "call-2" of "save"): parts[0].output is "Unknown tool: save"; stored is "saved".",
      "runId": "…",
      "step": 1,
    }
  `);
});
