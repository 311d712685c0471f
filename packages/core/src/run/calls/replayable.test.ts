import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { createRecords } from '../../records/records.ts';
import { eventsOf, gate, resultsOf, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import type { StoredEntry, ThreadEntry } from '../../thread/entry.ts';
import { innerLogsIn } from '../../thread/inner-log.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import { messagesOf } from '../../thread/messages.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { openThread } from '../../thread/open-thread.ts';
import type { Thread } from '../../thread/thread.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import type { Policy } from '../permission/policy.ts';
import type { ResumeOptions, Run } from '../run.ts';
import { resume, run } from '../lazy-run.ts';

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
  const read = tool('read', {
    execute: (input) => reads.push(JSON.stringify(input)) && `read ${JSON.stringify(input)}`,
  });
  return { effects, reads, tools: [done('save'), done('send'), done('put', { idempotent: true }), read] };
}

/** A tool that makes the calls of a script. */
const scripted = (script: Script, more: Partial<Tool> = {}): Tool =>
  tool('script', {
    effects: 'destructive',
    replayable: true,
    timeoutMs: 0,
    execute: (_input, _options, context) =>
      script(async (name, input) => (await context.call(name, input)).output, context),
    ...more,
  });

/** Threads over the records after each number of commits, as a process finds them after a crash. */
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

/** The thread that a run with these tools leaves, until its process ends at a commit. */
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
  return resume({
    model: scriptedModel([{ text: 'Done.' }]),
    toolset: toolsetOf(tools),
    thread,
    seals: testSeals,
    ...more,
  });
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
    if (
      !before.some(({ type, ...rest }) => type === 'message' && 'message' in rest && rest.message.role === 'assistant')
    )
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
    const outcome = isAsked ? [whole.effects, expected] : [world.effects, await outputOf(thread)];
    expect(outcome).toEqual([whole.effects, expected]);
  }
  expect(outcomes.filter((each) => each === 'replayed').length).toBeGreaterThan(8);
  expect(outcomes.filter((each) => each === 'asked').length).toBeLessThanOrEqual(4); // an effect had begun and has no result
});

/** The entries of a run whose process ends before a result of its script is stored. */
const beforeTheEnd = (entries: readonly ThreadEntry[]): 'before' | undefined =>
  entries.some((entry) => entry.type === 'message' && entry.message.role === 'tool') ? 'before' : undefined;

it('a script that ran again got results of reads that had changed since', async () => {
  const world = createWorld();
  let weather = 'sun';
  const look = tool('look', { execute: () => weather });
  const script = scripted(
    async (call) => `${String(await call('save', { weather: String(await call('look', {})) }))} ${weather}`,
  );
  const { thread } = await play([script, look, ...world.tools], beforeTheEnd);
  weather = 'rain';
  const resumed = goOn(thread, [script, look, ...world.tools]);
  const ended = (await eventsOf(resumed)).filter((event) => event.type === 'tool-end');
  expect(ended.map(({ callId, replayed = false }) => [callId, replayed])).toEqual([
    ['c›1', true],
    ['c›2', true],
    ['c', false],
  ]);
  expect(world.effects).toEqual(['save {"weather":"sun"}']);
});

it('branches that had gone on in another order got results that were not theirs', async () => {
  const world = createWorld();
  const gates = [gate(), gate()];
  const slow = tool('slow', { execute: async (input) => (await gates[Number((input as JsonObject)['n'])], input) });
  const script = scripted(async (call) => {
    const order: number[] = [];
    const branch = async (n: number): Promise<void> => {
      await call('slow', { n });
      order.push(n);
      if (n === 1) gates[0]?.open();
    };
    await Promise.all([branch(0), branch(1)]);
    return String(await call('save', { order }));
  });
  gates[1]?.open();
  const { thread } = await play([script, slow, ...world.tools], beforeTheEnd);
  const types = (await eventsOf(goOn(thread, [script, slow, ...world.tools]))).map(({ type }) => type);
  expect(types).not.toContain('recovery-request');
  expect(world.effects).toEqual(['save {"order":[1,0]}']);
});

it.each<[string, Script]>([
  ['ends without an effect that it had', async () => 'nothing'],
  ['fails without it', () => Promise.reject(new Error('It broke.'))],
  ['makes another effect first', async (call) => call('send', { text: 'b' })],
  ['changes something itself first', async (_call, context) => context.beforeEffect()],
  ['makes the effect with another input', async (call) => call('save', { text: 'b' })],
])('a script that ran again and did not do what it had done was believed: it %s', async (_, second) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const clock = setInterval(() => vi.advanceTimersByTime(1_000), 1); // nobody waits for an event that does not come
  try {
    const world = createWorld();
    const first = scripted((call) => call('save', { text: 'a' }));
    const { thread } = await play([first, ...world.tools], beforeTheEnd);
    const silent = await goOn(await copyOf((await thread.read()).entries), [scripted(second), ...world.tools], {
      interactive: false,
    }).result;
    expect(resultsOf(silent.messages)[0]).toMatchObject({ code: 'tool_interrupted' });
    const asking = goOn(thread, [scripted(second), ...world.tools]);
    asking.answer((await until(asking, 'recovery-request')).questionId, 'accept');
    await asking.result;
    expect(world.effects).toEqual(['save {"text":"a"}']);
    expect(String(await outputOf(thread))).toContain('The user has seen that it took effect');
  } finally {
    clearInterval(clock);
    vi.useRealTimers();
  }
});

it('a script that the user lets run again got results of the time before', async () => {
  const world = createWorld();
  const first = scripted((call) => call('save', { text: 'a' }));
  const { thread } = await play([first, ...world.tools], beforeTheEnd);
  let attempts = 0;
  const second = scripted(async (call) => {
    if (++attempts === 1) return 'nothing';
    await call('send', { text: 'b' });
    return call('save', { text: 'a' });
  });
  const { thread: broken, crashed } = crashing(thread, beforeTheEnd);
  const again = goOn(broken, [second, ...world.tools]);
  again.answer((await until(again, 'recovery-request')).questionId, 'again');
  await crashed;
  const left = await copyOf((await thread.read()).entries);
  again.abort();
  expect((await goOn(left, [second, ...world.tools]).result).status).toBe('complete');
  expect([attempts, world.effects]).toEqual([3, ['save {"text":"a"}', 'send {"text":"b"}', 'save {"text":"a"}']]);
});

it('a tool that changes something itself ran again after that', async () => {
  const own: string[] = [];
  const script = scripted(async (call, context) => {
    await call('save', {});
    await context.beforeEffect();
    own.push('kept');
  });
  const world = createWorld();
  const { thread } = await play([script, ...world.tools], beforeTheEnd);
  const resumed = goOn(thread, [script, ...world.tools]);
  resumed.answer((await until(resumed, 'recovery-request')).questionId, 'reject');
  await resumed.result;
  expect(own).toEqual(['kept']);
});

it('a tool that had changed something itself before its first call was run again, and nobody was asked', async () => {
  const own: string[] = [];
  const script = scripted(async (call, context) => {
    await context.beforeEffect();
    own.push('kept');
    await call('read', {});
  });
  const world = createWorld();
  const { thread } = await play([script, ...world.tools], beforeTheEnd);
  const { messages } = await goOn(thread, [script, ...world.tools], { interactive: false }).result;
  expect([resultsOf(messages)[0]?.code, own]).toEqual(['tool_interrupted', ['kept']]);
});

it('a client was asked to do something for a script that did not do what it had done', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const clock = setInterval(() => vi.advanceTimersByTime(1_000), 1);
  try {
    const { execute: _, ...client } = tool('client', { effects: 'write' });
    const world = createWorld();
    const first = scripted((call) => call('save', { text: 'a' }));
    const { thread } = await play([first, client, ...world.tools], beforeTheEnd);
    const resumed = goOn(thread, [scripted((call) => call('client', {})), client, ...world.tools]);
    const asked: string[] = [];
    for await (const event of resumed.events()) {
      if (event.type !== 'input-request' && event.type !== 'recovery-request') continue;
      asked.push(event.type);
      resumed.answer(event.questionId, event.type === 'input-request' ? { output: 'done' } : 'accept');
    }
    expect(asked).toEqual(['recovery-request']);
  } finally {
    clearInterval(clock);
    vi.useRealTimers();
  }
});

it.each<[string, () => unknown]>([
  ['a number that JSON does not have', () => ({ n: 5n })],
  ['itself inside', cycle],
])('a tool that called another with %s failed as a whole, if it is replayable', async (_, input) => {
  const script = scripted(async (_call, context) => {
    const { isError } = await context.call('read', input() as JsonObject);
    return `told: ${isError}`;
  });
  const { thread } = await play([script, ...createWorld().tools]);
  expect(await outputOf(thread)).toBe('told: true');
});

function cycle(): object {
  const round: { inside?: object } = {};
  return Object.assign(round, { inside: round });
}

it('a tool that is not replayable was run again', async () => {
  const world = createWorld();
  const script = scripted((call) => call('save', {}), { replayable: false });
  const { thread } = await play([script, ...world.tools], beforeTheEnd);
  expect((await thread.read()).entries.map(({ entry }) => entry.type)).not.toContain('inner-result');
  const { messages } = await goOn(thread, [script, ...world.tools], { interactive: false }).result;
  expect([resultsOf(messages)[0]?.code, world.effects]).toEqual(['tool_interrupted', ['save {}']]);
});

type Step = readonly [name: 'read' | 'save' | 'put' | 'ask' | 'pause', ticks: number];

/** A script of concurrent branches, whose inputs name their position and earlier results. */
const program =
  (branches: readonly (readonly Step[])[]): Script =>
  async (call) => {
    const run = async (steps: readonly Step[], branch: number): Promise<string> => {
      let last = '';
      for (const [index, [name, ticks]] of steps.entries()) {
        for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
        if (name !== 'pause') last = String(await call(name, { at: `${branch}.${index}`, last }));
      }
      return last;
    };
    return (await Promise.all(branches.map(run))).join();
  };

/** Answers what is asked until the run ends or its process does. */
async function drive(
  played: Run,
  crashed: Promise<void>,
): Promise<{ readonly isOver: boolean; readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const answering = (async () => {
    for await (const event of played.events()) {
      if (event.type !== 'approval-request' && event.type !== 'recovery-request') continue;
      asked.push(event.type);
      played.answer(event.questionId, event.type === 'approval-request' ? 'once' : 'accept');
    }
  })();
  const isOver = await Promise.race([answering.then(() => true), crashed.then(() => false)]);
  return { isOver, asked };
}

const policy: Policy = ({ name }) => (name === 'ask' ? 'ask' : 'allow');

/** Runs a script in processes that end at these commits, and in one that does not. */
async function survive(script: Script, ends: readonly (readonly [number, 'before' | 'after'])[]) {
  const world = createWorld();
  const ask = tool('ask', {
    effects: 'write',
    execute: (input) => world.effects.push(JSON.stringify(input)) && 'asked',
  });
  const toolset = toolsetOf([scripted(script), ask, ...world.tools]);
  const options = { toolset, seals: testSeals, policy };
  let thread = openThread(createRecords(memoryStorage()), 't');
  const asked: string[] = [];
  for (const [index, when] of [...ends, [Infinity, 'before'] as const]) {
    const { thread: broken, crashed } = crashing(thread, atCommit(index, when));
    const roles = (await messagesOf(thread)).map(({ role }) => role);
    const asking = roles.includes('assistant') ? scriptedModel([{ text: 'Done.' }]) : model();
    const played =
      roles.length === 0
        ? run({ ...options, model: asking, thread: broken, messages: 'Go.' })
        : resume({ ...options, model: asking, thread: broken });
    const isOpen = innerLogsIn((await thread.read()).entries).get('c')?.isOpen ?? false;
    const driven = await drive(played, crashed);
    asked.push(...driven.asked);
    expect(driven.asked.includes('recovery-request') && !isOpen).toBe(false);
    thread = await copyOf((await thread.read()).entries);
    played.abort();
    if (driven.isOver) break;
  }
  return { world, asked, output: await outputOf(thread), thread };
}

it('scripts that crash anywhere had effects twice, or another result than without a crash', async () => {
  const step = fc.tuple(fc.constantFrom('read', 'save', 'put', 'ask', 'pause'), fc.nat(12)) as fc.Arbitrary<Step>;
  const branches = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 });
  const ends = fc.array(
    fc.tuple(fc.integer({ min: 3, max: 14 }), fc.constantFrom('before' as const, 'after' as const)),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  let replayed = 0;
  await fc.assert(
    fc.asyncProperty(branches, ends, async (steps, crashes) => {
      const whole = await survive(program(steps), []);
      const broken = await survive(program(steps), crashes);
      expect(new Set(broken.world.effects).size).toBe(broken.world.effects.length);
      const expected = new Set(whole.world.effects);
      expect(broken.world.effects.filter((effect) => !expected.has(effect))).toEqual([]);
      if (broken.asked.includes('recovery-request')) return;
      replayed++;
      expect(broken.world.effects.toSorted()).toEqual(whole.world.effects.toSorted());
      expect(broken.output).toEqual(whole.output);
    }),
    { numRuns: 60 },
  );
  expect(replayed).toBeGreaterThan(10);
});

it('what a script had asked was lost with its process, and so was the answer', async () => {
  const world = createWorld();
  const ask = tool('ask', { effects: 'write', execute: (input) => world.effects.push(JSON.stringify(input)) });
  const script = scripted(async (call) => {
    const found = await call('save', {});
    return call('ask', { found: String(found) });
  });
  const options = { toolset: toolsetOf([script, ask, ...world.tools]), seals: testSeals, policy };
  const first = openThread(createRecords(memoryStorage()), 't');
  const played = run({ ...options, model: model(), thread: first, messages: 'Go.' });
  await until(played, 'approval-request');
  const thread = await copyOf((await first.read()).entries);
  played.abort();
  const [question] = await openQuestions(thread);
  expect(question).toMatchObject({ name: 'ask', parentCallId: 'c' });
  await answerQuestion(thread, { questionId: question?.id ?? '', answer: 'once', seals: testSeals });
  const resumed = resume({ ...options, model: scriptedModel([{ text: 'Done.' }]), thread });
  const types = (await eventsOf(resumed)).map(({ type }) => type);
  expect(types.filter((type) => type.endsWith('-request'))).toEqual([]);
  expect(world.effects).toEqual(['save {}', '{"found":"7"}']);
});
