import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arrangeHistory } from '../../model/arrangement.ts';
import type { Model, ModelPart } from '../../model/model.ts';
import { parseToolInput } from '../../model/tool-input.ts';
import { finish, memoryThread, play, resultsOf, streamedModel, tool, toolsetOf } from '../../test-kit/runs.ts';
import { messagesOf } from '../../thread/messages.ts';
import type { Thread } from '../../thread/thread.ts';
import { resume, run } from '../lazy-run.ts';

// Turns in which calls with broken arguments stand next to valid ones: each valid call runs once, and the broken ones
// never do.

const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const nextTick = (): Promise<void> => Promise.resolve();

/** Delays of a tool, a thread or a stream. */
const waits = { nothing: () => undefined, tick: nextTick, task: nextTask };
const anyWait = fc.constantFrom(...(Object.keys(waits) as (keyof typeof waits)[]));

/** Two reads, one of which has the turn stored, and two changes. */
const names = ['look', 'act', 'save', 'set'] as const;

const anyCall = fc.record({
  name: fc.constantFrom(...names),
  text: fc.constantFrom('{}', '{"n": 1}', '{"n": 1, "n": 2}', '{"text": oops', '{"text":"a', '[1, 2]', '"a"', ''),
  takes: anyWait,
  behind: anyWait,
});
const anyScene = fc.record({
  calls: fc.array(anyCall, { minLength: 1, maxLength: 5 }),
  stores: fc.option(anyWait, { nil: undefined }),
  drafts: fc.boolean(),
  eager: fc.boolean(),
});

type Scene = typeof anyScene extends fc.Arbitrary<infer Value> ? Value : never;
type SceneCall = Scene['calls'][number];

const isBroken = ({ text }: SceneCall): boolean => parseToolInput(text).invalidInput !== undefined;

function* partsOf({ calls }: Scene): Generator<ModelPart | Promise<unknown>> {
  for (const [index, { name, text, behind }] of calls.entries()) {
    yield { type: 'tool-call', callId: `${index}`, name, executedBy: 'us', ...parseToolInput(text) };
    yield Promise.resolve(waits[behind]());
  }
}

function* turnOf(scene: Scene): Generator<ModelPart | Promise<unknown>> {
  yield* partsOf(scene);
  yield finish('tool-calls');
}

/** A turn that ends early after `length` parts and waits. */
function* brokenTurnOf(scene: Scene, length: number): Generator<ModelPart | Promise<unknown>> {
  let left = length;
  for (const part of partsOf(scene)) {
    if (left-- === 0) break;
    yield part;
  }
  yield Promise.reject(new Error('connection reset'));
}

/** The tools of a scene, and the ids of the calls that they ran. */
function toolsOf({ calls }: Scene) {
  const ran: string[] = [];
  const execute = async (_: unknown, __: unknown, { callId, beforeEffect }: Context) => {
    ran.push(callId);
    const { name, takes } = calls[Number(callId)] as SceneCall;
    if (name === 'act') await beforeEffect();
    await waits[takes]();
    return callId;
  };
  const atOnce = (_: unknown, __: unknown, { callId }: Context) => (ran.push(callId), callId);
  const tools = [
    tool('look', { execute: atOnce }),
    tool('act', { execute }),
    tool('save', { effects: 'write', execute }),
    tool('set', { effects: 'write', idempotent: true, execute: atOnce }),
  ];
  return { ran, tools };
}
type Context = Parameters<NonNullable<ReturnType<typeof tool>['execute']>>[2];

/** A thread that takes its time for each commit. */
function threadOf({ stores }: Scene): ReturnType<typeof memoryThread> | undefined {
  if (stores === undefined) return undefined;
  const thread = memoryThread();
  const append: Thread['append'] = async (...given) => {
    await waits[stores]();
    return thread.append(...given);
  };
  return { ...thread, append };
}

/** With a clock that runs so fast that each part is a draft. */
function environmentOf({ drafts }: Scene) {
  let [now, ids] = [0, 0];
  return { now: () => (now += drafts ? 2_000 : 0), id: () => `id${++ids}` };
}

const idsOf = (scene: Scene, isOf: (call: SceneCall) => boolean): readonly string[] =>
  scene.calls.flatMap((call, index) => (isOf(call) ? `${index}` : []));
const isChange = ({ name }: SceneCall): boolean => name === 'save' || name === 'set';

/** Outcome of a turn: the calls that ran, the changes among them in order, and the results. */
async function outcomeOf(scene: Scene, model: Model) {
  const { ran, tools } = toolsOf(scene);
  const thread = threadOf(scene);
  const more = { eager: scene.eager, environment: environmentOf(scene), ...(thread && { thread }) };
  const { status, messages } = await play(model, tools, more).result;
  const results = resultsOf(messages);
  return {
    status,
    ran: ran.toSorted(),
    changes: ran.filter((id) => isChange(scene.calls[Number(id)] as SceneCall)),
    results: results.map(({ callId }) => callId),
    failed: results.filter(({ isError }) => isError).map(({ callId }) => callId),
    stored: thread === undefined || isDeepStrictEqual(arrangeHistory(await messagesOf(thread)), messages),
  };
}

/** Expected outcome: each complete call ran once. */
const onceEach = (scene: Scene) => ({
  status: 'complete',
  ran: idsOf(scene, (call) => !isBroken(call)),
  changes: idsOf(scene, (call) => isChange(call) && !isBroken(call)),
  results: idsOf(scene, () => true),
  failed: idsOf(scene, isBroken),
  stored: true,
});

it('[D4-08] runs each whole call of a turn once, and none with broken arguments, in whichever order they come', () =>
  fc.assert(
    fc.asyncProperty(anyScene, async (scene) => {
      const model = streamedModel([() => turnOf(scene)]);
      expect(await outcomeOf(scene, model)).toEqual(onceEach(scene));
    }),
    { numRuns: 50 },
  ));

it('runs each of them once if the parts of a turn are there at once, too', () =>
  fc.assert(
    fc.asyncProperty(anyScene, async (scene) => {
      const model = atOnce([...turnOf(scene)]);
      expect(await outcomeOf(scene, model)).toEqual(onceEach(scene));
    }),
    { numRuns: 50 },
  ));

/** A model whose stream is an iterator by hand, which answers each `next` at once. */
function atOnce(parts: readonly (ModelPart | Promise<unknown>)[]): Model {
  const turns = [parts.filter((part): part is ModelPart => !(part instanceof Promise)), [finish()]];
  return {
    info: { api: 'text', id: 'at-once' },
    stream() {
      const left = turns.shift()?.values();
      const next = async () => left?.next() ?? { done: true as const, value: undefined };
      return { [Symbol.asyncIterator]: () => ({ next }) };
    },
  };
}

it('repeats none of them if the turn is truncated and the run is resumed', () =>
  fc.assert(
    fc.asyncProperty(anyScene, fc.nat(), async (given, cut) => {
      const scene = { ...given, stores: given.stores ?? ('nothing' as const) };
      const { ran, tools } = toolsOf(scene);
      const toolset = toolsetOf(tools);
      const thread = threadOf(scene) as Thread;
      const breaks = streamedModel([() => brokenTurnOf(scene, cut % (2 * scene.calls.length))]);
      const { eager } = scene;
      const environment = environmentOf(scene);
      const options = { toolset, thread, environment, limits: { retries: 0 }, interactive: false };
      const first = await run({ ...options, model: breaks, messages: 'Go.', eager }).result;
      expect(first.status).toBe('error');
      const { status } = await resume({ ...options, model: streamedModel([() => [finish()]]) }).result;
      expect(status).toBe('complete');
      expect(new Set(ran).size).toBe(ran.length);
      expect(ran.filter((id) => isBroken(scene.calls[Number(id)] as SceneCall))).toEqual([]);
      const results = resultsOf(await messagesOf(thread)).map(({ callId }) => callId);
      expect(new Set(results).size).toBe(results.length);
      for (const id of ran) expect(results).toContain(id);
    }),
    { numRuns: 50 },
  ));
