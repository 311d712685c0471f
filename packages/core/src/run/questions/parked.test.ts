import { expect, it } from 'vitest';
import { memoryStorage } from '@utensil/storage-memory';
import { createRecords } from '../../records/records.ts';
import { isUtensilError } from '../../base/errors.ts';
import { platform } from '../../base/environment.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import { messagesOf } from '../../thread/messages.ts';
import { branchThread } from '../../thread/branch.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { openThread } from '../../thread/open-thread.ts';
import type { Thread } from '../../thread/thread.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { eventsOf, resultsOf, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { Tool, ToolContext } from '../../tool/tool.ts';
import { permissions } from '../permission/policy.ts';
import type { Policy } from '../permission/policy.ts';
import type { ResumeOptions, Run } from '../run.ts';
import { resume, run } from '../lazy-run.ts';

const seals = testSeals;
const policy = permissions('write');

/** A thread that every call opens again, as another process would. */
function shared(): () => Thread {
  const records = createRecords(memoryStorage());
  return () => openThread(records, 'shared');
}

function counting(name = 'save', more: Partial<Tool> = {}): Tool & { readonly inputs: unknown[] } {
  const inputs: unknown[] = [];
  const counted = tool(name, { effects: 'write', execute: (input) => (inputs.push(input), 'saved'), ...more });
  return Object.assign(counted, { inputs });
}

const call = { name: 'save', input: { text: 'a' }, callId: 'c' };

/** A tool that calls others, or begins runs. */
const doing = (name: string, execute: (context: ToolContext) => unknown): Tool =>
  tool(name, { execute: (_input, _options, context) => execute(context) });

/** A run that asks whether it may save, and parks at once. */
async function park(thread: Thread, more: Partial<ResumeOptions> = {}): Promise<Run> {
  const parked = run({
    model: scriptedModel([{ calls: [call] }]),
    toolset: toolsetOf([counting()]),
    policy,
    seals,
    thread,
    messages: 'Save it.',
    ...more,
    questions: { parkAfterMs: 0, ...more.questions },
  });
  await parked.result;
  return parked;
}

function goOn(thread: Thread, tools: readonly Tool[], more: Partial<ResumeOptions> = {}): Run {
  const model = scriptedModel([{ text: 'Done.' }]);
  return resume({ model, toolset: toolsetOf(tools), policy, seals, thread, ...more });
}

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (isUtensilError(error) ? error.code : error),
  );

const sorted = (codes: readonly unknown[]): readonly string[] => codes.map(String).toSorted();

const entryTypes = async (thread: Thread): Promise<readonly string[]> =>
  (await thread.read()).entries.map(({ entry }) => entry.type);

it('a run that only waited for an answer had to stay in memory', async () => {
  const open = shared();
  const parked = await park(open());
  expect(await parked.result).toMatchObject({ status: 'needs-approval', steps: 1 });
  expect(await entryTypes(open())).toEqual(['run-begun', 'message', 'message', 'question', 'run-parked']);

  const [question] = await openQuestions(open());
  expect(question).toMatchObject({ kind: 'approval', name: 'save', input: { text: 'a' }, runId: parked.id });
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', by: 'ann', seals });
  expect(await openQuestions(open())).toEqual([]);

  const save = counting();
  const resumed = goOn(open(), [save]);
  const events = await eventsOf(resumed);
  expect(await resumed.result).toMatchObject({ status: 'complete', text: 'Done.' });
  expect(save.inputs).toEqual([{ text: 'a' }]);
  expect(events.filter(({ type }) => type.startsWith('approval'))).toMatchObject([
    { type: 'approval-answer', questionId: question?.id, answer: 'once', by: 'ann' },
  ]);
});

it('a run that goes on had another id, and its events began again without a sign', async () => {
  const open = shared();
  const parked = await park(open());
  const resumed = goOn(open(), [counting()]);
  const first = await until(resumed, 'run-start');
  expect([resumed.id, first.runId, first.seq]).toEqual([parked.id, parked.id, 0]);
  expect(first.fence).toBeGreaterThan((await until(parked, 'run-start')).fence ?? 0);
  resumed.abort();
  await resumed.result;
});

it('asks again under the same id if nobody has answered', async () => {
  const open = shared();
  const asked = await until(await park(open()), 'approval-request');
  const again = goOn(open(), [counting()], { questions: { parkAfterMs: 0 } });
  expect((await until(again, 'approval-request')).questionId).toBe(asked.questionId);
  await again.result;
  expect((await entryTypes(open())).filter((type) => type === 'question')).toHaveLength(1);
});

it.each<[string, QuestionAnswer, unknown[], string]>([
  ['a no', 'deny', [], 'The user denied permission'],
  ['another input', { input: { text: 'b' } }, [{ text: 'b' }], 'saved'],
  ['a yes', 'once', [{ text: 'a' }], 'saved'],
])('does what was answered while no process had the thread: %s', async (_, answer, inputs, output) => {
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  await answerQuestion(open(), { questionId: question?.id ?? '', answer, seals });
  const save = counting();
  const resumed = goOn(open(), [save], { interactive: false });
  await resumed.result;
  expect(save.inputs).toEqual(inputs);
  expect(JSON.stringify(resultsOf(await messagesOf(open()))[0]?.output)).toContain(output);
});

it('counts a no, though the policy allows the call by then', async () => {
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'deny' });
  const save = counting();
  await goOn(open(), [save], { policy: () => 'allow' }).result;
  expect(save.inputs).toEqual([]);
});

it('takes what a client answers a week later', async () => {
  const open = shared();
  const { execute: _, ...pick } = tool('save');
  const parked = await park(open(), { toolset: toolsetOf([pick]), policy: () => 'allow' });
  expect((await parked.result).status).toBe('needs-input');
  const [question] = await openQuestions(open());
  const week = 7 * 24 * 60 * 60 * 1_000;
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: { output: 'red' } }, () => Date.now() + week);
  const resumed = goOn(open(), [pick], { policy: () => 'allow', interactive: false });
  await resumed.result;
  expect(resultsOf(await messagesOf(open()))[0]?.output).toBe('red');
});

it('an answer of many megabytes was taken, and no resumption of its thread got further', async () => {
  const open = shared();
  const { execute: _, ...pick } = tool('save');
  await park(open(), { toolset: toolsetOf([pick]), policy: () => 'allow' });
  const [question] = await openQuestions(open());
  const output = 'x'.repeat(10_000_000);
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: { output } });
  expect((await goOn(open(), [pick], { policy: () => 'allow' }).result).status).toBe('complete');
  expect(JSON.stringify(resultsOf(await messagesOf(open()))[0]?.modelParts).length).toBeLessThan(200_000);
});

it('a yes that was given by a clock of next year let a call run until then', async () => {
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  const given = { questionId: question?.id ?? '', answer: 'once', seals } as const;
  await answerQuestion(open(), given, () => Date.now() + 365 * 24 * 60 * 60 * 1_000);
  const save = counting();
  expect((await goOn(open(), [save], { questions: { parkAfterMs: 0 } }).result).status).toBe('needs-approval');
  expect(save.inputs).toEqual([]);
});

it('tells a run that waits elsewhere', async () => {
  const open = shared();
  const save = counting();
  const model = scriptedModel([{ calls: [call] }, { text: 'Done.' }]);
  const waiting = run({ model, toolset: toolsetOf([save]), policy, seals, thread: open(), messages: 'Save it.' });
  const { questionId } = await until(waiting, 'approval-request');
  await answerQuestion(open(), { questionId, answer: 'once', by: 'ben', seals });
  expect((await waiting.result).status).toBe('complete');
  expect(save.inputs).toHaveLength(1);
  expect(() => waiting.answer(questionId, 'once')).toThrow(expect.objectContaining({ code: 'question_closed' }));
});

it('an answer is given once, whoever is faster', async () => {
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  const questionId = question?.id ?? '';
  const given = (['once', 'deny', 'once'] as const).map((answer) =>
    codeOf(answerQuestion(open(), { questionId, answer, seals })),
  );
  expect(sorted(await Promise.all(given))).toEqual(['none', 'question_closed', 'question_closed']);
  expect(await codeOf(answerQuestion(open(), { questionId, answer: 'once', seals }))).toBe('question_closed');
});

it('an answer here and one elsewhere at the same time: the thread says which one counts', async () => {
  const open = shared();
  const save = counting();
  const model = scriptedModel([{ calls: [call] }, { text: 'Done.' }]);
  const waiting = run({ model, toolset: toolsetOf([save]), policy, seals, thread: open(), messages: 'Save it.' });
  const { questionId } = await until(waiting, 'approval-request');
  const elsewhere = codeOf(answerQuestion(open(), { questionId, answer: 'deny' }));
  waiting.answer(questionId, 'once');
  const isDenied = (await elsewhere) === 'none';
  await waiting.result;
  expect(save.inputs).toHaveLength(isDenied ? 0 : 1);
});

it.each<[string, string, Partial<Parameters<typeof answerQuestion>[1]>]>([
  ['a question that never was', 'question_closed', { questionId: 'nothing' }],
  ['no answer to it', 'invalid_input', { answer: 'accept' }],
  ['a yes without proof', 'invalid_input', { answer: 'once' }],
  ['somebody who may not', 'answer_forbidden', { answer: 'deny', by: 'eve' }],
  ['nobody in particular', 'answer_forbidden', { answer: 'deny' }],
])('refuses %s', async (_, code, given) => {
  const open = shared();
  await park(open(), { questions: { answerers: ['ann'] } });
  const [question] = await openQuestions(open());
  expect(question?.answerers).toEqual(['ann']);
  const before = await entryTypes(open());
  const answer = {
    questionId: question?.id ?? '',
    answer: 'deny',
    ...(given.answer === 'once' && { by: 'ann' }),
  } as const;
  expect(await codeOf(answerQuestion(open(), { ...answer, ...given }))).toBe(code);
  expect(await entryTypes(open())).toEqual(before);
});

it.each<[string, unknown]>([
  ['nothing', null],
  ['a number', 5],
  ['an empty object', {}],
  ['an input that is no object', { input: 'b' }],
  ['an input and an output', { input: {}, output: 1 }],
  ['a list', ['once']],
])('an answer that a client sent as %s was acknowledged and lost, or a TypeError', async (_, given) => {
  const answer = given as QuestionAnswer;
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  const questionId = question?.id ?? '';
  expect(await codeOf(answerQuestion(open(), { questionId, answer, seals }))).toBe('invalid_input');
  const resumed = goOn(open(), [counting()]);
  await until(resumed, 'approval-request');
  expect(() => resumed.answer(questionId, answer)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  const by = 7 as unknown as string;
  expect(() => resumed.answer(questionId, 'once', { by })).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  expect(await codeOf(answerQuestion(open(), { questionId, answer: 'deny', by }))).toBe('invalid_input');
  resumed.answer(questionId, 'once');
  expect((await resumed.result).status).toBe('complete');
});

it('a question that never expires may say so', async () => {
  const open = shared();
  await park(open(), { questions: { expireAfterMs: Infinity } });
  const [question] = await openQuestions(open(), Date.now() + 1e15);
  expect(question).not.toHaveProperty('expiresAt');
});

it('a yes that another program wrote into the thread lets nothing run', async () => {
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  const forged = { type: 'answer', questionId: question?.id ?? '', answer: 'once', time: Date.now() } as const;
  await open().append([forged]);
  const save = counting();
  const resumed = goOn(open(), [save], { questions: { parkAfterMs: 0 } });
  const events = await eventsOf(resumed);
  expect(events.map(({ type }) => type)).toContain('permission-ignored');
  expect((await resumed.result).status).toBe('needs-approval');
  expect(save.inputs).toEqual([]);
});

it('a question that another program has changed is asked again', async () => {
  const open = shared();
  await park(open());
  const page = await open().read();
  const asked = page.entries.map(({ entry }) => entry).find((entry) => entry.type === 'question');
  if (asked === undefined) throw new Error('nothing was asked');
  await open().append([{ ...asked, title: 'Look at the weather' }]);
  expect(await codeOf(answerQuestion(open(), { questionId: asked.id, answer: 'once', seals }))).toBe('question_closed');
  const resumed = goOn(open(), [counting()], { questions: { parkAfterMs: 0 } });
  const again = await until(resumed, 'approval-request');
  expect(again).toMatchObject({ title: 'save' });
  expect(again.questionId).not.toBe(asked.id);
  await resumed.result;
});

it.each<[string, readonly Tool[], readonly string[], string]>([
  [
    'has changed',
    [counting('save', { description: 'Saves elsewhere.' })],
    ['permission-ignored', 'approval-request'],
    '',
  ],
  ['went', [], [], 'Unknown tool: save'],
])('an answer for a tool that %s lets nothing run', async (_, tools, told, output) => {
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', seals });
  const resumed = goOn(open(), tools, { questions: { parkAfterMs: 0 } });
  const events = (await eventsOf(resumed)).map(({ type }) => type);
  expect(events.filter((type) => ['permission-ignored', 'approval-request'].includes(type))).toEqual(told);
  expect(tools.flatMap((each) => (each as ReturnType<typeof counting>).inputs)).toEqual([]);
  expect(resultsOf(await messagesOf(open())).map((each) => each.output)).toEqual(output === '' ? [] : [output]);
});

it('a question whose time is over is closed, here and elsewhere', async () => {
  const open = shared();
  let time = Date.now();
  const now = (): number => time;
  const environment = { ...platform(), now };
  const parked = await park(open(), { environment, questions: { expireAfterMs: 60_000 } });
  expect((await parked.result).status).toBe('needs-approval');
  const [question] = await openQuestions(open(), time);
  time += 60_001;
  expect(await openQuestions(open(), time)).toEqual([]);
  const late = answerQuestion(open(), { questionId: question?.id ?? '', answer: 'deny' }, now);
  expect(await codeOf(late)).toBe('question_closed');
  const save = counting();
  expect((await goOn(open(), [save], { environment }).result).status).toBe('complete');
  expect(save.inputs).toEqual([]);
  expect(resultsOf(await messagesOf(open()))[0]?.output).toContain('nobody answered in time');
});

it('a new message dismisses what is asked', async () => {
  const open = shared();
  await park(open());
  const [question] = await openQuestions(open());
  const model = scriptedModel([{ text: 'Fine.' }]);
  await run({ model, toolset: toolsetOf([counting()]), thread: open(), messages: 'Never mind.' }).result;
  expect(await openQuestions(open())).toEqual([]);
  const late = answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', seals });
  expect(await codeOf(late)).toBe('question_closed');
});

it('a message that an app has stored behind a question was lost with the next resumption', async () => {
  const open = shared();
  await park(open());
  const message = {
    id: 'm',
    role: 'user',
    parts: [{ type: 'text', text: 'Never mind.' }],
    createdAt: Date.now(),
  } as const;
  await open().append([{ type: 'message', message }]);
  expect(await openQuestions(open())).toEqual([]);
  const model = scriptedModel([{ text: 'Fine.' }]);
  const save = counting();
  await goOn(open(), [save], { model }).result;
  expect(save.inputs).toEqual([]);
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

it('an answer to a call that was begun again since is used up', async () => {
  const open = shared();
  const stuck = counting('save', { execute: () => new Promise(() => undefined) });
  await park(open());
  const [question] = await openQuestions(open());
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', seals });
  const second = goOn(open(), [stuck]);
  await until(second, 'tool-start');
  // The process ends here: nothing more is stored.
  const rest = shared();
  await rest().append((await open().read()).entries.map(({ entry }) => entry));
  second.abort();
  await second.result;
  const save = counting();
  const third = goOn(rest(), [save], { questions: { parkAfterMs: 0 } });
  const types = (await eventsOf(third)).map(({ type }) => type);
  expect(types).toContain('recovery-request');
  expect(save.inputs).toEqual([]);
});

it('parks only once nothing else is under way', async () => {
  const open = shared();
  let end = (): void => undefined;
  const slow = tool('slow', { execute: () => new Promise<string>((resolve) => (end = () => resolve('slow'))) });
  const parking = run({
    model: scriptedModel([{ calls: [{ name: 'slow' }, call] }]),
    toolset: toolsetOf([counting(), slow]),
    policy,
    thread: open(),
    messages: 'Both.',
    questions: { parkAfterMs: 0 },
  });
  await until(parking, 'approval-request');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect((await open().read()).entries.at(-1)?.entry.type).not.toBe('run-parked');
  end();
  expect((await parking.result).status).toBe('needs-approval');
  expect(resultsOf(await messagesOf(open())).map(({ output }) => output)).toEqual(['slow']);
});

it('a message that does not cancel the question is added once it is answered', async () => {
  const save = counting();
  const model = scriptedModel([{ calls: [call] }, { text: 'Done.' }]);
  const waiting = run({ model, toolset: toolsetOf([save]), policy, thread: shared()(), messages: 'Save it.' });
  const { questionId } = await until(waiting, 'approval-request');
  waiting.send('And be quick.', { questions: 'keep' });
  waiting.answer(questionId, 'once');
  expect((await waiting.result).status).toBe('complete');
  expect(save.inputs).toHaveLength(1);
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
});

it('a run without a thread has nowhere to park', async () => {
  const model = scriptedModel([{ calls: [call] }]);
  const toolset = toolsetOf([counting()]);
  const { error } = await run({ model, toolset, messages: 'Go.', questions: { parkAfterMs: 0 } }).result;
  expect(error).toMatchObject({ code: 'invalid_option', message: expect.stringContaining('thread') });
});

it('questions of a run inside are kept with the calls that lead to it, and answered from elsewhere', async () => {
  const open = shared();
  const save = counting();
  const model = scriptedModel([{ calls: [call] }, { text: 'Saved.' }]);
  const inner = doing('agent', async (context) => {
    const inside = await context.run({ model, messages: 'Save.' });
    return (await inside.result).text;
  });
  const outer = run({
    model: scriptedModel([{ calls: [{ name: 'agent', callId: 'o' }] }, { text: 'Done.' }]),
    toolset: toolsetOf([inner, save]),
    policy,
    seals,
    thread: open(),
    messages: 'Go.',
    questions: { parkAfterMs: 0 },
  });
  await expect.poll(() => openQuestions(open())).toHaveLength(1);
  const [question] = await openQuestions(open());
  expect(question).toMatchObject({ path: ['o'], callId: 'c', name: 'save' });
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', seals });
  expect(await outer.result).toMatchObject({ status: 'complete', text: 'Done.' });
  expect(save.inputs).toHaveLength(1);
});

it('a question that a tool no longer waits for takes no answer from elsewhere', async () => {
  const open = shared();
  let give = (): void => undefined;
  const outer = doing('outer', (context) => {
    void context.call('save', {});
    return new Promise<string>((resolve) => (give = () => resolve('done')));
  });
  const asking = run({
    model: scriptedModel([{ calls: [{ name: 'outer' }] }, { text: 'Done.' }]),
    toolset: toolsetOf([outer, counting()]),
    policy: ({ name }) => (name === 'save' ? 'ask' : 'allow'),
    thread: open(),
    messages: 'Go.',
  });
  const { questionId } = await until(asking, 'approval-request');
  asking.send('Never mind.');
  await expect.poll(() => openQuestions(open())).toEqual([]);
  expect(await codeOf(answerQuestion(open(), { questionId, answer: 'deny' }))).toBe('question_closed');
  give();
  await asking.result;
});

/** A script that changes something, asks, and changes something again. */
function scripted(world: string[]): readonly Tool[] {
  const save = tool('save', {
    effects: 'write',
    execute: (input) => (world.push((input as { readonly text: string }).text), 'saved'),
  });
  const script = tool('script', {
    effects: 'destructive',
    replayable: true,
    timeoutMs: 0,
    async execute(_input, _options, context) {
      const results: unknown[] = [];
      for (const text of ['one', 'ask two', 'three', 'ask four'])
        results.push((await context.call('save', { text })).output);
      return results;
    },
  });
  return [save, script];
}

const asksInside: Policy = ({ input }) => (JSON.stringify(input).includes('ask') ? 'ask' : 'allow');

it('a script that waited for an answer could not be taken up in another process', async () => {
  const open = shared();
  const world: string[] = [];
  const common = { policy: asksInside, seals, questions: { parkAfterMs: 0 } };
  const start = () => ({ ...common, thread: open(), toolset: toolsetOf([...scripted(world)]) });
  const model = scriptedModel([{ calls: [{ name: 'script', callId: 's' }] }]);
  const asking = run({ ...start(), model, messages: 'Go.' });
  expect((await asking.result).status).toBe('needs-approval');
  expect(world).toEqual(['one']);
  expect(() => asking.answer('any', 'once')).toThrow('is not open');

  for (const expected of [
    ['one', 'ask two', 'three'],
    ['one', 'ask two', 'three', 'ask four'],
  ]) {
    const [question, ...more] = await openQuestions(open());
    expect([question?.parentCallId, more]).toEqual(['s', []]);
    await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', seals });
    const goesOn = resume({ ...start(), model: scriptedModel([{ text: 'Done.' }]) });
    const events = (await eventsOf(goesOn)).map(({ type }) => type);
    expect(events).not.toContain('recovery-request');
    expect(world).toEqual(expected);
  }
  expect(resultsOf(await messagesOf(open()))[0]?.output).toEqual(['saved', 'saved', 'saved', 'saved']);
});

it('a call that asks inside and is not replayable is waited for', async () => {
  const open = shared();
  const world: string[] = [];
  const [save, script] = scripted(world);
  if (save === undefined || script === undefined) throw new Error('no tools');
  const asking = run({
    model: scriptedModel([{ calls: [{ name: 'script' }] }, { text: 'Done.' }]),
    toolset: toolsetOf([save, { ...script, replayable: false }]),
    policy: asksInside,
    thread: open(),
    messages: 'Go.',
    questions: { parkAfterMs: 0 },
  });
  for await (const event of asking.events())
    if (event.type === 'approval-request') setTimeout(() => asking.answer(event.questionId, 'once'), 20);
  expect((await asking.result).status).toBe('complete');
  expect(world).toHaveLength(4);
});

it('a regenerated answer belonged to the run of the first one', async () => {
  const open = shared();
  const toolset = toolsetOf([]);
  const first = run({ model: scriptedModel([{ text: 'One.' }]), toolset, thread: open(), messages: 'Hello.' });
  await first.result;
  const question = (await messagesOf(open()))[0]?.id ?? '';
  const again = resume({ model: scriptedModel([{ text: 'Two.' }]), toolset, thread: branchThread(open(), question) });
  expect((await again.result).text).toBe('Two.');
  expect(again.id).not.toBe(first.id);
});

it('an abort while a tool that waits for nothing was asked about ended the program', async () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', onRejection);
  const careless = doing('careless', async (context) => {
    void context.call('save', {});
    await new Promise(() => undefined);
  });
  const thread = shared()();
  const append: Thread['append'] = async (entries, options) => {
    if (entries.some(({ type }) => type === 'answer')) throw new Error('There is no space left.');
    return thread.append(entries, options);
  };
  const asking = run({
    model: scriptedModel([{ calls: [{ name: 'careless' }] }]),
    toolset: toolsetOf([careless, counting()]),
    policy: ({ name }) => (name === 'save' ? 'ask' : 'allow'),
    thread: { ...thread, append },
    messages: 'Go.',
  });
  await until(asking, 'approval-request');
  asking.abort();
  await asking.result;
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off('unhandledRejection', onRejection);
  expect(rejections).toEqual([]);
});

it('a thread that was full for a moment as its run ended kept others waiting', async () => {
  const open = shared();
  const thread = open();
  const full = {
    ...thread,
    append: (async (entries, options) => {
      if (options?.release === true) throw new Error('There is no space left.');
      return thread.append(entries, options);
    }) satisfies Thread['append'],
  };
  await run({ model: scriptedModel([{ text: 'One.' }]), toolset: toolsetOf([]), thread: full, messages: 'Hello.' })
    .result;
  const next = run({
    model: scriptedModel([{ text: 'Two.' }]),
    toolset: toolsetOf([]),
    thread: open(),
    messages: 'And?',
  });
  expect((await next.result).status).toBe('complete');
});

it('a stop that came before the question was stored ended the run without it', async () => {
  const open = shared();
  const model = scriptedModel([{ calls: [call] }]);
  const asking = run({ model, toolset: toolsetOf([counting()]), policy, thread: open(), messages: 'Save it.' });
  asking.stop();
  expect((await asking.result).status).toBe('needs-approval');
  expect(await openQuestions(open())).toHaveLength(1);
});
