import { memoryStorage } from '@utensil/storage-memory';
import { expect, it, vi } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { createRecords } from '../records/records.ts';
import { resultsOf, testSeals, tool, toolsetOf, until, eventsOf } from '../test-kit/runs.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import type { StoredEntry, ThreadEntry } from '../thread/entry.ts';
import { messagesOf } from '../thread/messages.ts';
import { openThread } from '../thread/open-thread.ts';
import type { Thread } from '../thread/thread.ts';
import type { Tool, ToolContext } from '../tool/tool.ts';
import type { ResumeOptions, Run } from './run.ts';
import { resume, run } from './start.ts';

type Call = (name: string, input: JsonObject) => Promise<unknown>;
type Script = (call: Call, context: ToolContext) => unknown;

/** A world that outlives processes. */
function createWorld() {
  const effects: string[] = [];
  const reads: string[] = [];
  const done = (name: string, more: Partial<Tool> = {}): Tool =>
    tool(name, {
      effects: 'write',
      execute(input) {
        const effect = `${name} ${JSON.stringify(input)}`;
        if (more.idempotent !== true || !effects.includes(effect)) effects.push(effect);
        return effect.length;
      },
      ...more,
    });
  const read = tool('read', { execute: (input) => reads.push(JSON.stringify(input)) && `read ${JSON.stringify(input)}` });
  return { effects, reads, tools: [done('save'), done('send'), done('put', { idempotent: true }), read] };
}

/** A tool that makes the calls of a script. */
const scripted = (script: Script, more: Partial<Tool> = {}): Tool =>
  tool('script', {
    effects: 'destructive',
    replayable: true,
    timeoutMs: 0,
    execute: (_input, _options, context) => script(async (name, input) => (await context.call(name, input)).output, context),
    ...more,
  });

/** Threads over records as they are after so many commits, as a process finds them that comes after a crash. */
async function copyOf(entries: readonly StoredEntry[]): Promise<Thread> {
  const thread = openThread(createRecords(memoryStorage()), 't');
  for (const { entry } of entries) await thread.append([entry]);
  return thread;
}

/** A thread whose process ends with a commit: that one is stored or not, and nothing follows. */
function crashing(thread: Thread, isLast: (entries: readonly ThreadEntry[]) => 'before' | 'after' | undefined) {
  let crash = (): void => undefined;
  const crashed = new Promise<void>((resolve) => (crash = resolve));
  let isOver = false;
  const never = new Promise<never>(() => undefined);
  const broken: Thread = {
    ...thread,
    async append(entries, options) {
      if (isOver) return never;
      const when = isLast(entries);
      if (when === undefined) return thread.append(entries, options);
      isOver = true;
      if (when === 'after') await thread.append(entries, options);
      crash();
      return never;
    },
  };
  return { thread: broken, crashed };
}

const model = (): ReturnType<typeof scriptedModel> =>
  scriptedModel([{ calls: [{ name: 'script', callId: 'c' }] }, { text: 'Done.' }]);

/** What a run with these tools leaves in a thread, until its process ends at a commit. */
async function play(
  tools: readonly Tool[],
  isLast: Parameters<typeof crashing>[1] = () => undefined,
): Promise<{ readonly thread: Thread; readonly isCrashed: boolean }> {
  const { thread, crashed } = crashing(openThread(createRecords(memoryStorage()), 't'), isLast);
  const played = run({ model: model(), toolset: toolsetOf(tools), thread, messages: 'Go.', seals: testSeals });
  const isCrashed = await Promise.race([crashed.then(() => true), played.result.then(() => false)]);
  const left = await copyOf((await thread.read()).entries);
  played.abort();
  return { thread: left, isCrashed };
}

function goOn(thread: Thread, tools: readonly Tool[], more: Partial<ResumeOptions> = {}): Run {
  return resume({ model: scriptedModel([{ text: 'Done.' }]), toolset: toolsetOf(tools), thread, seals: testSeals, ...more });
}

const outputOf = async (thread: Thread): Promise<unknown> => resultsOf(await messagesOf(thread))[0]?.output;

const threeSaves: Script = async (call) => {
  const found = await call('read', { n: 1 });
  const first = await call('save', { found: String(found) });
  await call('read', { n: 2 });
  const second = await call('put', { first: String(first) });
  return [first, second, await call('send', { second: String(second) })].join();
};

/** Every commit of a run, crashed before and after it. */
async function crashes(script: Script): Promise<readonly (readonly [commit: number, when: 'before' | 'after'])[]> {
  let commits = 0;
  await play([scripted(script), ...createWorld().tools], () => (commits++, undefined));
  return Array.from({ length: commits }, (_, index) => [index, 'before'] as const).flatMap(([index]) => [
    [index, 'before'] as const,
    [index, 'after'] as const,
  ]);
}

const atCommit = (index: number, when: 'before' | 'after'): Parameters<typeof crashing>[1] => {
  let count = 0;
  return () => (count++ === index ? when : undefined);
};

it('a script that was interrupted between two of its calls was asked about, or ran them twice', async () => {
  const whole = createWorld();
  const expected = await outputOf((await play([scripted(threeSaves), ...whole.tools])).thread);
  expect(whole.effects).toHaveLength(3);
  const outcomes: string[] = [];
  for (const [index, when] of await crashes(threeSaves)) {
    const world = createWorld();
    const tools = [scripted(threeSaves), ...world.tools];
    const { thread } = await play(tools, atCommit(index, when));
    const before = (await thread.read()).entries.map(({ entry }) => entry);
    if (!before.some(({ type, ...rest }) => type === 'message' && 'message' in rest && rest.message.role === 'assistant'))
      continue; // the model is asked again
    const resumed = goOn(thread, tools);
    const asked = until(resumed, 'recovery-request').then(
      ({ questionId }) => (resumed.answer(questionId, 'accept'), true),
      () => false,
    );
    await resumed.result;
    const isAsked = await asked;
    outcomes.push(isAsked ? 'asked' : 'replayed');
    expect(new Set(world.effects).size).toBe(world.effects.length);
    if (!isAsked) expect([world.effects, await outputOf(thread)]).toEqual([whole.effects, expected]);
  }
  expect(outcomes.filter((each) => each === 'replayed').length).toBeGreaterThan(8);
  expect(outcomes.filter((each) => each === 'asked').length).toBeLessThanOrEqual(4); // an effect had begun and has no result
});
