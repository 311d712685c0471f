import { expect, it } from 'vitest';
import { arrangeHistory } from '../model/arrangement.ts';
import type { Message } from '../model/message.ts';
import { scriptedModel } from '../testing/index.ts';
import type { ScriptedTurn } from '../testing/index.ts';
import type { Tool } from '../tool/tool.ts';
import { permissions } from './permission/policy.ts';
import type { QuestionAnswer } from '../thread/question.ts';
import { resume, run } from './lazy-run.ts';
import type { Run, ResumeOptions } from './run.ts';
import {
  approvedCall,
  call,
  finish,
  gate,
  marksOf,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  telling,
  testSeals,
  tool,
  toolsetOf,
  until,
} from '../test-kit/runs.ts';
import { messagesOf } from '../thread/messages.ts';

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };
const asking = (...calls: readonly (readonly [id: string, name: string])[]): Message => ({
  id: 'a',
  role: 'assistant',
  createdAt: 2,
  runId: 'r',
  parts: calls.map(([callId, name]) => ({ type: 'tool-call', callId, name, input: {}, executedBy: 'us' })),
});
/** A message that no run has stored. */
const fromElsewhere = ({ runId: _, ...message }: Message): Message => message;
const answered = (callId: string, name: string): Message => ({
  id: `r-${callId}`,
  role: 'tool',
  createdAt: 3,
  parts: [
    {
      type: 'tool-result',
      callId,
      name,
      output: 'before',
      modelParts: [{ type: 'text', text: 'before' }],
      isError: false,
    },
  ],
});
const begun = (callId: string) => ({ type: 'call-begun', callId, runId: 'r', time: 1 }) as const;

function goOn(
  thread: ReturnType<typeof memoryThread>,
  tools: readonly Tool[],
  more: Partial<ResumeOptions> & { readonly script?: readonly ScriptedTurn[] } = {},
): Run & { readonly model: ReturnType<typeof scriptedModel> } {
  const model = scriptedModel(more.script ?? [{ text: 'Done.' }]);
  return { model, ...resume({ model, toolset: toolsetOf(tools), thread, ...more }) };
}

const counted = (name: string, more: Partial<Tool> = {}): Tool & { readonly runs: () => number } => {
  let runs = 0;
  return { ...tool(name, { effects: 'write', execute: () => `run ${++runs}`, ...more }), runs: () => runs };
};

it('[S0-17] runs calls that had not begun, and none again that has its result', async () => {
  const [save, look] = [counted('save'), counted('look', { effects: 'read' })];
  const thread = memoryThread([user, asking(['1', 'save'], ['2', 'save'], ['3', 'look']), answered('1', 'save')]);
  const { status, text, messages } = await goOn(thread, [save, look]).result;
  expect([status, text, save.runs(), look.runs()]).toEqual(['complete', 'Done.', 1, 1]);
  expect(resultsOf(messages).map(({ output }) => output)).toEqual(['before', 'run 1', 'run 1']);
  expect(arrangeHistory(await messagesOf(thread))).toEqual([user, ...messages]);
});

it.each<[QuestionAnswer, number, boolean, string]>([
  ['accept', 0, false, 'The user has seen that it took effect'],
  ['reject', 0, true, 'User rejected the tool call'],
  ['again', 1, false, 'run 1'],
])('[S0-17] asks what is to become of a call that may have taken effect: %s', async (answer, runs, isError, text) => {
  const save = counted('save');
  const thread = memoryThread([user, asking(['1', 'save'])]);
  thread.marks.push(begun('1'));
  const run = goOn(thread, [save]);
  const { questionId } = await until(run, 'recovery-request');
  run.answer(questionId, answer);
  const { status, messages } = await run.result;
  expect([status, save.runs()]).toEqual(['complete', runs]);
  expect(resultsOf(messages)[0]?.isError).toBe(isError);
  expect(resultsOf(messages)[0]?.output).toContain(text);
  expect(run.model.requests[0]?.messages).toEqual(arrangeHistory((await messagesOf(thread)).slice(0, -1)));
});

it('reports it to the model as interrupted if nobody can be asked', async () => {
  const save = counted('save');
  const thread = memoryThread([user, asking(['1', 'save'])]);
  thread.marks.push(begun('1'));
  const { messages } = await goOn(thread, [save], { interactive: false }).result;
  expect(save.runs()).toBe(0);
  expect(resultsOf(messages)[0]?.output).toContain('It may or may not have taken effect');
});

it('runs a call again that does no more the second time, and asks of every one if there is no journal', async () => {
  const idempotent = counted('save', { idempotent: true });
  const thread = memoryThread([user, asking(['1', 'save'])]);
  thread.marks.push(begun('1'));
  await goOn(thread, [idempotent]).result;
  expect(idempotent.runs()).toBe(1);

  const save = counted('save');
  const plain = memoryThread([user, fromElsewhere(asking(['1', 'save']))]);
  const run = resume({ model: scriptedModel([{}]), toolset: toolsetOf([save]), thread: plain });
  run.answer((await until(run, 'recovery-request')).questionId, 'again');
  await run.result;
  expect(save.runs()).toBe(1);
});

it.each<[string, Partial<Tool>]>([
  ['a read', { effects: 'read' }],
  ['a call that does no more the second time', { idempotent: true }],
])('the user was asked about %s of a message from elsewhere that had been interrupted', async (_, more) => {
  const look = counted('look', more);
  const plain = memoryThread([user, fromElsewhere(asking(['1', 'look']))]);
  const run = resume({ model: scriptedModel([{}]), toolset: toolsetOf([look]), thread: plain });
  const asked: string[] = [];
  for await (const event of run.events()) {
    if (event.type !== 'recovery-request') continue;
    asked.push(event.callId);
    run.answer(event.questionId, 'reject');
  }
  expect([asked, look.runs()]).toEqual([[], 1]);
});

it('asks about a read of which the journal says that a call inside it may have changed something', async () => {
  const thread = memoryThread([user, asking(['1', 'look'])]);
  thread.marks.push(begun('1'));
  const run = goOn(thread, [counted('look', { effects: 'read' })]);
  run.answer((await until(run, 'recovery-request')).questionId, 'accept');
  expect((await run.result).status).toBe('complete');
});

it('the result of a thread that is complete had no text', async () => {
  const thread = memoryThread();
  await play([{ text: 'Hello.' }], [], { thread }).result;
  expect(await goOn(thread, [], { script: [] }).result).toMatchObject({ status: 'complete', text: 'Hello.' });
  const failed = play([], [], { thread, messages: 'Again.' });
  expect(await failed.result).toMatchObject({ status: 'error', text: '' });
});

it('remembers what the user had approved, for the tool as it was then', async () => {
  const save = counted('save');
  const options = { policy: permissions('write'), seals: testSeals };
  const thread = memoryThread([user, asking(['1', 'save'])]);
  thread.marks.push(await approvedCall(save));
  await goOn(thread, [save], options).result;
  expect(save.runs()).toBe(1);

  const changed = memoryThread([user, asking(['1', 'save'])]);
  changed.marks.push(await approvedCall({ ...save, description: 'another tool' }));
  const run = goOn(changed, [save], options);
  run.answer((await until(run, 'approval-request')).questionId, 'deny');
  await run.result;
  expect(save.runs()).toBe(1);
});

it('asks again what was open when a run was stopped', async () => {
  const thread = memoryThread();
  const save = counted('save');
  const first = play([{ calls: [{ name: 'save' }] }], [save], { policy: permissions('write'), thread });
  await until(first, 'approval-request');
  first.stop();
  await first.result;
  const second = goOn(memoryThread(thread.log), [save], { policy: permissions('write') });
  second.answer((await until(second, 'approval-request')).questionId, 'once');
  expect((await second.result).status).toBe('complete');
  expect(save.runs()).toBe(1);
});

it('has nothing to do where the last turn is answered', async () => {
  const thread = memoryThread();
  await play([{ text: 'Hello.' }], [], { thread }).result;
  const run = goOn(thread, [], { script: [] });
  expect(await run.result).toMatchObject({ status: 'complete', messages: [] });
});

it('resumes a truncated answer', async () => {
  const thread = memoryThread();
  await play([{ text: 'Once upon', breaks: 'truncated' }], [], { thread, limits: { retries: 0 } }).result;
  const run = goOn(thread, [], { script: [{ text: ' a time.' }] });
  const { status, text } = await run.result;
  expect([status, text]).toEqual(['complete', ' a time.']);
  expect(run.model.requests[0]?.messages.at(-1)?.parts).toEqual([
    { type: 'text', text: 'Your last answer was truncated. Continue it from where it stopped.' },
  ]);
  expect((await messagesOf(thread)).map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
});

it('counts the steps and tokens that were spent since the user’s message', async () => {
  const thread = memoryThread();
  const look = tool('look');
  const turn = { calls: [{ name: 'look' }], usage: { inputTokens: 10, outputTokens: 5 } };
  const first = play([turn, turn], [look], { thread, limits: { steps: 9 } });
  await first.result; // the script has no third turn
  const { status, steps, usage } = await goOn(thread, [look], { limits: { steps: 2 } }).result;
  expect({ status, steps, inputTokens: usage.inputTokens }).toEqual({ status: 'limit', steps: 3, inputTokens: 20 });
});

it('[D3-08] a call that was left running in a thread is neither lost nor left open', async () => {
  const thread = memoryThread([user, asking(['1', 'gone'])]);
  const { messages } = await goOn(thread, []).result;
  expect(resultsOf(messages).map(({ output }) => output)).toEqual(['Unknown tool: gone']);
});

it('a call that is known after a loss of power is not lost with its message, and is asked about', async () => {
  const durable: unknown[] = [];
  const thread = memoryThread();
  const append: typeof thread.append = (entries, options) => {
    for (const entry of entries) if ('callId' in entry) durable.push([entry.callId, options?.durable ?? false]);
    return thread.append(entries, options);
  };
  const noted = { ...thread, append };
  const tools = [counted('save'), tool('look'), counted('set', { idempotent: true })];
  const script = [{ calls: tools.map(({ name }) => ({ name })) }, {}];
  await play(script, tools, { thread: noted, durability: 'power' }).result;
  expect(durable).toEqual([['call-1', true]]);

  const rest = memoryThread([user]);
  rest.marks.push(...thread.marks);
  const save = counted('save');
  const run = goOn(rest, [save]);
  const request = await until(run, 'recovery-request');
  expect(request).toMatchObject({ name: 'save', callId: 'call-1' });
  run.answer(request.questionId, 'accept');
  expect((await run.result).status).toBe('complete');
  expect((await messagesOf(rest)).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(save.runs()).toBe(0);
});

it('[S0-17] with a new message, calls that were left open are answered in the thread, by whether they had begun', async () => {
  const thread = memoryThread([user, asking(['1', 'save'], ['2', 'save'])]);
  thread.marks.push(begun('1'));
  const save = counted('save');
  await play([{ text: 'Fine.' }], [save], { thread, messages: 'Never mind.' }).result;
  expect(save.runs()).toBe(0);
  expect(resultsOf(await messagesOf(thread)).map(({ output }) => output)).toEqual([
    'This call has no result: it was interrupted, or nobody answered. It may or may not have taken effect.',
    'Tool "save" was not run: the user did not approve it, and wrote a new message instead.',
  ]);
});

it.each<[string, NonNullable<Tool['execute']>]>([
  ['calls', async (_, __, { call }) => (await call('save', {})).output],
  [
    'does in a run',
    async (_, __, context) => {
      const model = scriptedModel([{ calls: [{ name: 'save' }] }, { text: 'Saved.' }]);
      return (await (await context.run({ messages: 'Save.', model })).result).text;
    },
  ],
])('knows what a tool %s to have happened, though its turn was still being streamed', async (_, execute) => {
  const thread = memoryThread();
  const known: unknown[] = [];
  const saved = gate();
  const save = tool('save', {
    effects: 'write',
    execute() {
      known.push(thread.log.at(-1)?.parts[0], marksOf(thread.marks)[0]?.[1]);
      saved.open();
    },
  });
  const model = streamedModel([() => [call('1', 'outer'), saved, finish('tool-calls')]]);
  const { status } = await run({
    model,
    toolset: toolsetOf([save, tool('outer', { execute })]),
    messages: 'Go.',
    thread,
  }).result;
  expect(status).toBe('complete');
  expect(known).toEqual([expect.objectContaining({ callId: '1', name: 'outer' }), '1']);
});

it.each([true, false])(
  'stores a turn before an inner call of its tools changes something; eager: %s',
  async (eager) => {
    const thread = memoryThread();
    const known: unknown[] = [];
    const slow = telling(thread, () => new Promise((resolve) => setTimeout(resolve)));
    const save = tool('save', { effects: 'write', execute: () => known.push(thread.log.at(-1)?.role) });
    const outer = tool('outer', { execute: async (_, __, { call }) => (await call('save', {})).output });
    await play([{ calls: [{ name: 'outer' }] }, {}], [save, outer], { thread: slow, eager }).result;
    expect(known).toEqual(['assistant']);
  },
);

it('takes no earlier approval for one of a later call, where a model uses an id again', async () => {
  const save = counted('save');
  const approval = await approvedCall(save, { time: Date.now() - 1_000 });
  const thread = memoryThread([user, { ...asking(['1', 'save']), createdAt: approval.time + 1 }]);
  thread.marks.push(approval);
  const run = goOn(thread, [save], { policy: permissions('write'), seals: testSeals });
  run.answer((await until(run, 'approval-request')).questionId, 'deny');
  await run.result;
  expect(save.runs()).toBe(0);
});

it('never applies the approval of a changed input to the original one', async () => {
  const thread = memoryThread();
  const append = thread.append;
  const calls = [{ name: 'save', input: { all: true } }];
  const save = tool('save', { effects: 'write' });
  const first = play([{ calls }], [save], {
    policy: permissions('write'),
    thread: {
      ...thread,
      // The program ends before the input that the user gave is stored.
      append: (message) => (JSON.stringify(message).includes('false') ? new Promise(() => {}) : append(message)),
    },
  });
  first.answer((await until(first, 'approval-request')).questionId, { input: { all: false } });
  await Promise.resolve();
  const second = goOn(memoryThread(thread.log), [save], { policy: permissions('write') });
  const { questionId, input } = await until(second, 'approval-request');
  expect(input).toEqual({ all: true });
  second.answer(questionId, 'deny');
  await second.result;
  first.abort();
  await first.result;
});

it('has nothing to do in a thread that has not begun: no api takes a request without messages', async () => {
  const run = goOn(memoryThread(), [], { script: [] });
  expect(await run.result).toMatchObject({ status: 'complete', messages: [], steps: 0 });
  expect(run.model.requests).toEqual([]);
});
