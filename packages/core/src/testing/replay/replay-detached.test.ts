import { expect, it } from 'vitest';
import { platform } from '../../base/environment.ts';
import { UtensilError } from '../../base/errors.ts';
import { resume, run } from '../../run/lazy-run.ts';
import { textOf } from '../../model/message.ts';
import type { Run } from '../../run/run.ts';
import { gate, tool, toolsetOf } from '../../test-kit/runs.ts';
import { cancelDetached } from '../../thread/detached-calls.ts';
import { memoryThread } from '../../thread/memory-thread.ts';
import { result } from '../../tool/result.ts';
import { scriptedModel } from '../scripted-model.ts';
import type { ScriptedTurn } from '../scripted-model.ts';
import { replayThread } from './replay-thread.ts';

/** A build whose end the test decides; how often a process has waited for it. */
function builder() {
  const end = gate();
  const asked: unknown[] = [];
  const build = tool('build', {
    effects: 'write',
    execute: () => result({ output: 'It has begun.', detached: 7 }),
    settle: async (handle) => {
      asked.push(handle);
      await end;
      return 'passed';
    },
  });
  return { end, asked, tools: [build, tool('look')] };
}

const building: readonly ScriptedTurn[] = [
  { calls: [{ name: 'build', callId: 'b' }] },
  { calls: [{ name: 'look', callId: 'l' }] },
  { text: 'It builds.' },
];

async function saidBy({ events }: Run, text: string): Promise<void> {
  for await (const event of events()) if (event.type === 'message' && textOf(event.message.parts) === text) return;
}

it.each([
  [
    'came while the model looked elsewhere',
    async (thread: ReturnType<typeof memoryThread>, { end, tools }: ReturnType<typeof builder>) => {
      end.open();
      const model = scriptedModel([...building, { text: 'It has passed.' }]);
      return [run({ model, toolset: toolsetOf(tools), thread, messages: 'Build it.' })];
    },
  ],
  [
    'came when the model had answered',
    async (thread: ReturnType<typeof memoryThread>, { end, tools }: ReturnType<typeof builder>) => {
      const model = scriptedModel([...building, { text: 'It has passed.' }]);
      const built = run({ model, toolset: toolsetOf(tools), thread, messages: 'Build it.' });
      await saidBy(built, 'It builds.');
      end.open();
      return [built];
    },
  ],
  [
    'came in another process',
    async (thread: ReturnType<typeof memoryThread>, { end, tools }: ReturnType<typeof builder>) => {
      const options = { toolset: toolsetOf(tools), thread };
      const first = run({
        ...options,
        model: scriptedModel(building),
        messages: 'Build it.',
        detached: { parkAfterMs: 0 },
      });
      await first.result;
      end.open();
      return [first, resume({ ...options, model: scriptedModel([{ text: 'It has passed.' }]) })];
    },
  ],
  [
    'was cancelled while nobody waited',
    async (thread: ReturnType<typeof memoryThread>, { tools }: ReturnType<typeof builder>) => {
      const options = { toolset: toolsetOf(tools), thread };
      const first = run({
        ...options,
        model: scriptedModel(building),
        messages: 'Build it.',
        detached: { parkAfterMs: 0 },
      });
      await first.result;
      await cancelDetached(thread, { callId: 'b', reason: 'Not needed.' });
      return [first, resume({ ...options, model: scriptedModel([{ text: 'I see.' }]) })];
    },
  ],
  [
    'was cancelled by its run',
    async (thread: ReturnType<typeof memoryThread>, { tools }: ReturnType<typeof builder>) => {
      const model = scriptedModel([...building, { text: 'I see.' }]);
      const built = run({ model, toolset: toolsetOf(tools), thread, messages: 'Build it.' });
      await saidBy(built, 'It builds.');
      await new Promise((resolve) => setTimeout(resolve, 5));
      built.cancel('b', 'Not needed.');
      return [built];
    },
  ],
  [
    'was cancelled before the model was asked again',
    async (thread: ReturnType<typeof memoryThread>, { tools }: ReturnType<typeof builder>) => {
      const failure = new UtensilError('model_overloaded', 'Busy.', { retryable: true });
      const model = scriptedModel([...building.slice(0, 1), { breaks: failure }, { text: 'I see.' }]);
      let built: Run | undefined;
      const after = (_ms: number, then: () => void) => {
        built?.cancel('b', 'Not needed.');
        const timer = setImmediate(then);
        return () => clearImmediate(timer);
      };
      const environment = { ...platform(), after };
      built = run({ model, toolset: toolsetOf(tools), thread, environment, messages: 'Build it.' });
      return [built];
    },
  ],
] as const)('replays a call in the background whose result %s, and asks no tool', async (_title, play) => {
  const thread = memoryThread('t');
  const world = builder();
  const played = await play(thread, world);
  for (const each of played) await each.result;
  const asked = world.asked.length;
  const { divergence } = await replayThread(thread, { toolset: world.tools });
  expect(divergence?.message).toBeUndefined();
  expect(world.asked).toHaveLength(asked);
});
