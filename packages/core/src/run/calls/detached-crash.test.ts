import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { isObject } from '../../base/json.ts';
import type { LateResultPart } from '../../model/message.ts';
import type { Model, ModelPart } from '../../model/model.ts';
import { mortalProcess } from '../../test-kit/mortal-process.ts';
import { call, finish, resultsOf, tool, toolsetOf } from '../../test-kit/runs.ts';
import { cancelDetached } from '../../thread/detached-calls.ts';
import { messagesOf } from '../../thread/messages.ts';
import type { Thread } from '../../thread/thread.ts';
import { result } from '../../tool/result.ts';
import type { Tool } from '../../tool/tool.ts';
import type { ResumeOptions } from '../run.ts';
import { resume, run } from '../lazy-run.ts';

/** The outside world, which outlives processes. */
const createWorld = () => ({ started: [] as string[], isDone: false });

/** A tool that starts a build under the key of its call, and finds it again. */
function builder(world: ReturnType<typeof createWorld>): Tool {
  const receipt = (key: string) => result({ output: 'It has begun.', detached: { key } });
  return tool('build', {
    effects: 'write',
    execute(_input, _options, { idempotencyKey }) {
      world.started.push(idempotencyKey);
      return receipt(idempotencyKey);
    },
    reconcile: (_input, _options, { idempotencyKey }) =>
      world.started.includes(idempotencyKey) ? { done: receipt(idempotencyKey) } : 'not-done',
    settle: (handle, _options, { idempotencyKey }) =>
      world.isDone
        ? { handle, isOwn: (handle as { key: string }).key === idempotencyKey }
        : new Promise(() => undefined),
  });
}

/** Starts a build, says so, and says then how it ended: whichever of its turns a process begins with. */
const model = (): Model => ({
  info: { api: 'text', id: 'builder' },
  async *stream({ messages }): AsyncGenerator<ModelPart> {
    const isBegun = resultsOf(messages).length > 0;
    const isOver = JSON.stringify(messages).includes('End of the result of call');
    if (isBegun) yield { type: 'text-delta', text: isOver ? 'It is over.' : 'It builds.' };
    else yield call('b', 'build');
    yield finish(isBegun ? 'stop' : 'tool-calls');
  },
});

const options = (thread: Thread, world: ReturnType<typeof createWorld>): ResumeOptions => ({
  model: model(),
  toolset: toolsetOf([builder(world)]),
  thread,
  detached: { parkAfterMs: 0 },
});

const lateIn = async (thread: Thread): Promise<readonly LateResultPart[]> =>
  (await messagesOf(thread)).flatMap(({ parts }) => parts.filter((part) => part.type === 'late-result'));

/** Events before the second process resumes: the build ends, or somebody cancels it. */
const meanwhile: Readonly<Record<string, (thread: Thread, world: ReturnType<typeof createWorld>) => unknown>> = {
  'the build ends': (_thread, world) => (world.isDone = true),
  'somebody cancels it': async (thread, world) => {
    if (!(await cancelDetached(thread, { callId: 'b' }))) world.isDone = true;
  },
};

/** Kills a process at each of its commits, before it or after it, until it has no such commit any more. */
async function forEachDeath(
  dies: (lasts: Parameters<typeof mortalProcess>[2], place: string) => Promise<boolean>,
): Promise<number> {
  let deaths = 0;
  for (let commit = 0; ; commit++) {
    const before = deaths;
    for (const when of ['before', 'after'] as const)
      if (await dies((count) => (count === commit ? when : undefined), `${when} commit ${commit}`)) deaths++;
    if (deaths === before) return deaths;
  }
}

/** The next process resumes the thread to its end: one build, one result, one last answer. */
async function goesOnWell(thread: Thread, world: ReturnType<typeof createWorld>, place: string): Promise<void> {
  for (const _ of ['to its end', 'where nothing is left to do']) {
    const { status, error } = await resume({ ...options(thread, world), detached: {} }).result;
    expect({ place, status, error }).toEqual({ place, status: 'complete' });
  }
  const late = await lateIn(thread);
  expect({ place, started: world.started.length, late: late.length }).toEqual({ place, started: 1, late: 1 });
  const [{ code, output } = {}] = late;
  const isOwn = isObject(output) && output['isOwn'] === true;
  expect({ place, isRight: code === 'tool_cancelled' || (code === undefined && isOwn) }).toEqual({
    place,
    isRight: true,
  });
  expect((await messagesOf(thread)).at(-1)?.parts).toEqual([{ type: 'text', text: 'It is over.' }]);
}

it.each(
  (['ended at once', 'ended later'] as const).flatMap((first) => Object.keys(meanwhile).map((then) => [first, then])),
)('a crash lost a build in the background, or made it twice: one that %s, and then %s', async (first, then = '') => {
  const deaths = await forEachDeath(async (lasts, place) => {
    const storage = memoryStorage();
    const world = createWorld();
    world.isDone = first === 'ended at once';
    const mortal = mortalProcess(storage, 'first', lasts);
    const lost = run({ ...options(mortal.thread, world), messages: 'Build it.' });
    const isDead = await Promise.race([mortal.ended.then(() => true), lost.result.then(() => false)]);
    const { thread } = mortalProcess(storage, 'second', () => undefined);
    if ((await messagesOf(thread)).length > 0) {
      await meanwhile[then]?.(thread, world);
      await goesOnWell(thread, world, place);
    }
    lost.abort();
    return isDead;
  });
  expect(deaths).toBeGreaterThan(first === 'ended later' ? 10 : 15);
});

it.each(Object.keys(meanwhile))('a crash of the process that waited on lost a parked build: %s', async (then) => {
  const deaths = await forEachDeath(async (lasts, place) => {
    const storage = memoryStorage();
    const world = createWorld();
    const parked = mortalProcess(storage, 'first', () => undefined);
    const { status } = await run({ ...options(parked.thread, world), messages: 'Build it.' }).result;
    expect(status).toBe('needs-results');
    await meanwhile[then]?.(parked.thread, world);
    const mortal = mortalProcess(storage, 'second', lasts);
    const lost = resume({ ...options(mortal.thread, world), detached: {} });
    const isDead = await Promise.race([mortal.ended.then(() => true), lost.result.then(() => false)]);
    await goesOnWell(mortalProcess(storage, 'third', () => undefined).thread, world, place);
    lost.abort();
    return isDead;
  });
  expect(deaths).toBeGreaterThan(5);
});
