import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { textOf } from '../../model/message.ts';
import type { Model, ModelPart } from '../../model/model.ts';
import { createRecords } from '../../records/records.ts';
import { mortalProcess } from '../../test-kit/mortal-process.ts';
import { call, finish, gate, resultsOf, testSeals, tool, toolsetOf } from '../../test-kit/runs.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import { messagesOf } from '../../thread/messages.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { openThread } from '../../thread/open-thread.ts';
import { listThreads } from '../../thread/summary.ts';
import type { Thread } from '../../thread/thread.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import type { Policy } from '../permission/policy.ts';
import type { Run, ResumeOptions } from '../run.ts';
import { resume, run } from '../lazy-run.ts';

/** Calls of an inner run, one a turn, and its answer: the same in every process. */
const innerModel = (names: readonly string[]): Model => ({
  info: { api: 'text', id: 'inner' },
  async *stream({ messages }): AsyncGenerator<ModelPart> {
    const next = resultsOf(messages).length;
    const name = names[next];
    if (name === undefined) yield { type: 'text-delta', text: 'All done.' };
    else yield call(`i${next}`, name, { next });
    yield finish(name === undefined ? 'stop' : 'tool-calls');
  },
});

/** A tool whose work is a run inside. */
const agent = (names: readonly string[], more: Partial<Tool> = {}): Tool =>
  tool('agent', {
    effects: 'write',
    replayable: true,
    timeoutMs: 0,
    async execute(_input, _options, context) {
      const child = await context.run({ messages: 'Do it.', model: innerModel(names) });
      const { status, text, error } = await child.result;
      return { status, text: error?.message ?? text };
    },
    ...more,
  });

/** The outside world, which outlives processes. */
function createWorld() {
  const effects: string[] = [];
  const writing = (name: string): Tool =>
    tool(name, { effects: 'write', execute: () => `${name} is ${effects.push(name)}` });
  return { effects, tools: [tool('look'), writing('save'), writing('send')] };
}

/** Calls the agent, whichever of its turns a process begins with. */
const outerModel = (): Model => ({
  info: { api: 'text', id: 'outer' },
  async *stream({ messages }): AsyncGenerator<ModelPart> {
    const isFirst = resultsOf(messages).length === 0;
    yield isFirst ? call('o', 'agent') : { type: 'text-delta', text: 'Done.' };
    yield finish(isFirst ? 'tool-calls' : 'stop');
  },
});

const options = (thread: Thread, tools: readonly Tool[], more: Partial<ResumeOptions>): ResumeOptions => ({
  model: outerModel(),
  toolset: toolsetOf(tools),
  thread,
  seals: testSeals,
  ...more,
});

function goOn(thread: Thread, tools: readonly Tool[], more: Partial<ResumeOptions> = {}): Run {
  return resume(options(thread, tools, more));
}

const outputOf = async (thread: Thread): Promise<unknown> => resultsOf(await messagesOf(thread))[0]?.output;

/** Answers as somebody does who looks what has happened. */
async function answerAll(played: Run, effects: readonly string[]): Promise<void> {
  for await (const event of played.events()) {
    const inner = event.type === 'sub-run' ? event.event : event;
    if (inner.type === 'recovery-request')
      played.answer(inner.questionId, effects.includes(inner.name) ? 'accept' : 'again');
    if (inner.type === 'approval-request') played.answer(inner.questionId, 'once');
  }
}

const names = ['look', 'save', 'look', 'send'];
const asks: Policy = ({ name }) => (name === 'send' ? 'ask' : 'allow');

it('a run inside another was begun again after a crash, or its outer call was asked about as a whole', async () => {
  const first = mortalProcess(memoryStorage(), 'first', () => undefined);
  const whole = createWorld();
  const tools = [agent(names), ...whole.tools];
  const played = run({ ...options(first.thread, tools, { policy: asks }), messages: 'Go.' });
  await answerAll(played, whole.effects);
  const expected = await outputOf(first.thread);
  expect(expected).toEqual({ status: 'complete', text: 'All done.' });
  const outerQuestions: string[] = [];
  for (let commit = 0; commit < first.commits(); commit++) {
    for (const when of ['before', 'after'] as const) {
      const storage = memoryStorage();
      const world = createWorld();
      const mortal = mortalProcess(storage, 'first', (count) => (count === commit ? when : undefined));
      const lost = run({
        ...options(mortal.thread, [agent(names), ...world.tools], { policy: asks }),
        messages: 'Go.',
      });
      void answerAll(lost, world.effects);
      await mortal.ended;
      const { thread } = mortalProcess(storage, 'second', () => undefined);
      if ((await messagesOf(thread)).length === 0) continue;
      const resumed = goOn(thread, [agent(names), ...world.tools], { policy: asks });
      const answering = answerAll(resumed, world.effects);
      const { status, error } = await resumed.result;
      await answering;
      const place = `${when} commit ${commit}`;
      expect({ place, status, error, effects: world.effects }).toEqual({
        place,
        status: 'complete',
        effects: ['save', 'send'],
      });
      expect({ place, output: await outputOf(thread) }).toEqual({ place, output: expected });
      for await (const event of resumed.events()) if (event.type === 'recovery-request') outerQuestions.push(place);
      lost.abort();
    }
  }
  expect(outerQuestions).toEqual([]);
});

it('what a run inside asked was listed after a crash, and an answer to it lost', async () => {
  const storage = memoryStorage();
  const world = createWorld();
  const tools = [agent(names), ...world.tools];
  const asked = mortalProcess(storage, 'first', () => undefined);
  const lost = run({ ...options(asked.thread, tools, { policy: asks }), messages: 'Go.' });
  for await (const event of lost.events())
    if (event.type === 'sub-run' && event.event.type === 'approval-request') break;
  const { thread } = mortalProcess(storage, 'second', () => undefined);
  const [question] = await openQuestions(thread);
  expect(question).toMatchObject({ path: ['o'], callId: 'i3', name: 'send' });
  await answerQuestion(thread, { questionId: question?.id ?? '', answer: 'once', seals: testSeals });
  expect(world.effects).toEqual(['save']);
  const resumed = goOn(thread, tools, { policy: asks, interactive: false });
  expect((await resumed.result).status).toBe('complete');
  expect(world.effects).toEqual(['save', 'send']);
  expect(await outputOf(thread)).toEqual({ status: 'complete', text: 'All done.' });
  expect(await openQuestions(thread)).toEqual([]);
  lost.abort();
});

it('the thread of a run inside is on no list, and goes with the outer one', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  const thread = openThread(records, 't');
  const world = createWorld();
  const { text } = await run({ ...options(thread, [agent(['save']), ...world.tools], {}), messages: 'Go.' }).result;
  expect(text).toBe('Done.');
  expect((await listThreads(records)).map(({ id }) => id)).toEqual(['t']);
  const kept = [];
  for await (const { key } of records.list(['threads', 't', 'runs'])) kept.push(key);
  expect(kept).toHaveLength(1);
  const inner = await messagesOf(thread.child?.(kept[0]?.at(-1) ?? '') ?? thread);
  expect(inner.map(({ role, parts }) => `${role} ${textOf(parts)}`)).toEqual([
    'user Do it.',
    'assistant ',
    'tool ',
    'assistant All done.',
  ]);
});

it('a run waited in memory for ever while only a run inside it was asked something', async () => {
  const storage = memoryStorage();
  const world = createWorld();
  const tools = [agent(names), ...world.tools];
  const open = (name: string) => mortalProcess(storage, name, () => undefined).thread;
  const more = { policy: asks, questions: { parkAfterMs: 0 } };
  const parked = run({ ...options(open('first'), tools, more), messages: 'Go.' });
  expect((await parked.result).status).toBe('needs-approval');
  expect((await goOn(open('second'), tools, more).result).status).toBe('needs-approval');
  const [question, ...others] = await openQuestions(open('third'));
  expect([question?.path, question?.name, others]).toEqual([['o'], 'send', []]);
  await answerQuestion(open('third'), { questionId: question?.id ?? '', answer: 'once', seals: testSeals });
  const resumed = goOn(open('fourth'), tools, more);
  expect(resumed.id === parked.id).toBe(false); // until it has read its thread
  expect((await resumed.result).status).toBe('complete');
  expect(resumed.id).toBe(parked.id);
  expect(world.effects).toEqual(['save', 'send']);
  expect(await outputOf(open('fifth'))).toEqual({ status: 'complete', text: 'All done.' });
});

it('parks with agents of agents, and with several at a time', async () => {
  const storage = memoryStorage();
  const world = createWorld();
  const deep = tool('deep', {
    effects: 'write',
    replayable: true,
    timeoutMs: 0,
    async execute(_input, _options, context) {
      const runs = [names, ['save', 'send']].map((each) =>
        context.run({ messages: 'Do it.', model: innerModel(each) }),
      );
      const results = await Promise.all(runs.map(async (each) => (await (await each).result).status));
      return results.join();
    },
  });
  const tools = [agent(['deep']), deep, ...world.tools];
  const open = (name: string) => mortalProcess(storage, name, () => undefined).thread;
  const more = { policy: asks, questions: { parkAfterMs: 0 } };
  expect((await run({ ...options(open('first'), tools, more), messages: 'Go.' }).result).status).toBe('needs-approval');
  const asked = await openQuestions(open('second'));
  expect(asked.map(({ path, name }) => [path, name])).toEqual([
    [['o', 'i0'], 'send'],
    [['o', 'i0'], 'send'],
  ]);
  for (const { id } of asked)
    await answerQuestion(open('second'), { questionId: id, answer: 'once', seals: testSeals });
  expect((await goOn(open('third'), tools, more).result).status).toBe('complete');
  expect(world.effects.toSorted()).toEqual(['save', 'save', 'send', 'send']);
});

it('waits for calls that run during a question before it parks', async () => {
  const storage = memoryStorage();
  const world = createWorld();
  const slow = gate();
  const both: Model = {
    info: { api: 'text', id: 'both' },
    async *stream({ messages }) {
      const isFirst = resultsOf(messages).length === 0;
      if (isFirst) yield* [call('a', 'slow'), call('b', 'send')];
      else yield { type: 'text-delta', text: 'Both.' };
      yield finish(isFirst ? 'tool-calls' : 'stop');
    },
  };
  const two = agent([], {
    async execute(_input, _options, context) {
      return (await (await context.run({ messages: 'Do it.', model: both })).result).text;
    },
  });
  const tools = [two, tool('slow', { execute: async () => (await slow, 'late') }), ...world.tools];
  const open = (name: string) => mortalProcess(storage, name, () => undefined).thread;
  const more = { policy: asks, questions: { parkAfterMs: 0 } };
  const parked = run({ ...options(open('first'), tools, more), messages: 'Go.' });
  for await (const event of parked.events())
    if (event.type === 'sub-run' && event.event.type === 'approval-request') break;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await Promise.race([parked.result, Promise.resolve('still running')])).toBe('still running');
  slow.open();
  expect((await parked.result).status).toBe('needs-approval');
  const [question] = await openQuestions(open('second'));
  await answerQuestion(open('second'), { questionId: question?.id ?? '', answer: 'once', seals: testSeals });
  expect((await goOn(open('third'), tools, more).result).status).toBe('complete');
  expect(await outputOf(open('third'))).toBe('Both.');
  expect(world.effects).toEqual(['send']);
});

/** A tool that begins a run for each task, all at once, and whose process may end once one is over. */
function tasks(given: readonly string[], afterOne: () => unknown = () => undefined): Tool {
  async function work(task: string, { run: begin }: ToolContext): Promise<string> {
    const messages = [{ role: 'user', parts: [{ type: 'text', text: task }] }] as const;
    const { text } = await (await begin({ messages, model: obeying(task) })).result;
    await afterOne();
    return `${task}: ${text}`;
  }
  return tool('agent', {
    effects: 'write',
    replayable: true,
    timeoutMs: 0,
    execute: async (_input, _options, context) => (await Promise.all(given.map((task) => work(task, context)))).join(),
  });
}

/** Calls the tool that its task names. */
const obeying = (task: string): Model => ({
  info: { api: 'text', id: 'obeying' },
  async *stream({ messages }) {
    const isFirst = resultsOf(messages).length === 0;
    yield isFirst ? call('i', task) : { type: 'text-delta', text: `${task} is done` };
    yield finish(isFirst ? 'tool-calls' : 'stop');
  },
});

/** The storage of a process that ends once a run inside is over. */
async function leftAfterOne(task: string, tools: readonly Tool[]): Promise<() => Thread> {
  const storage = memoryStorage();
  const isOver = gate();
  const stuck = tasks([task], () => (isOver.open(), new Promise(() => undefined)));
  void run({
    ...options(mortalProcess(storage, 'first', () => undefined).thread, [stuck, ...tools], {}),
    messages: 'Go.',
  });
  await isOver;
  return () => mortalProcess(storage, 'second', () => undefined).thread;
}

it('a tool that began its runs in another order had one task done twice, and the other one never', async () => {
  const world = createWorld();
  const open = await leftAfterOne('save', world.tools);
  const thread = open();
  await goOn(thread, [tasks(['send', 'save']), ...world.tools]).result;
  expect(world.effects).toEqual(['save', 'send']);
  expect(await outputOf(thread)).toBe('send: send is done,save: save is done');
});

it('a tool that began a run with another task than before was believed', async () => {
  const world = createWorld();
  const open = await leftAfterOne('save', world.tools);
  expect((await open().read()).entries.map(({ entry }) => entry.type)).toContain('inner-run');
  const { messages } = await goOn(open(), [tasks(['send']), ...world.tools], { interactive: false }).result;
  expect(resultsOf(messages)[0]?.code).toBe('tool_interrupted');
  expect(world.effects).toEqual(['save']);
});

it('outside content that a run inside had read before the interruption was forgotten', async () => {
  const tools = [tool('look', { openWorld: true }), tool('drop', { effects: 'destructive' })];
  const open = await leftAfterOne('look', tools);
  const tainted: boolean[] = [];
  const policy: Policy = (request) => (request.name === 'drop' && tainted.push(request.tainted), 'allow');
  const after: Model = {
    info: { api: 'text', id: 'after' },
    async *stream({ messages }) {
      const count = resultsOf(messages).length;
      if (count === 1) yield call('d', 'drop');
      yield finish(count === 1 ? 'tool-calls' : 'stop');
    },
  };
  await goOn(open(), [tasks(['look']), ...tools], { model: after, policy }).result;
  expect(tainted).toEqual([true]);
});
