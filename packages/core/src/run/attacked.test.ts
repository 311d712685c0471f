import { describe, expect, it } from 'vitest';
import type { Message } from '../model/message.ts';
import {
  approvedCall,
  call,
  eventsOf,
  finish,
  gate,
  marksOf,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  testSeals,
  tool,
  toolsetOf,
  until,
} from '../test-kit/runs.ts';
import { scriptedModel } from '../testing/index.ts';
import type { ToolContext } from '../tool/tool.ts';
import { permissions } from './permission/policy.ts';
import type { Policy } from './permission/policy.ts';
import { resume } from './lazy-run.ts';
import { messagesOf } from '../thread/messages.ts';

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };

/** A thread whose last turn has made one call, which has no result. */
function openThread(name: string) {
  const part = { type: 'tool-call', callId: '1', name, input: {}, title: name, executedBy: 'us' } as const;
  return memoryThread([user, { id: 'a', role: 'assistant', parts: [part], createdAt: 2, runId: 'r' }]);
}

describe('a model that gives calls of several turns the same id', () => {
  const again = { calls: [{ name: 'save', callId: '1', input: { again: true } }] };

  it('has made different calls: each has an id, a result and an entry of its own', async () => {
    const thread = memoryThread();
    const { messages } = await play([again, again, {}], [tool('save', { effects: 'write' })], { thread }).result;
    expect(resultsOf(messages).map(({ callId }) => callId)).toEqual(['1', '1-2']);
    expect(marksOf(thread.marks)).toEqual([
      ['call-begun', '1'],
      ['call-begun', '1-2'],
    ]);
  });

  it('does not run the later one with the approval of the first', async () => {
    const ran: unknown[] = [];
    const save = tool('save', { effects: 'write', execute: (input) => void ran.push(input) });
    const thread = openThread('save');
    thread.marks.push(await approvedCall(save));
    const model = scriptedModel([again, {}]);
    const options = { policy: permissions('write'), seals: testSeals };
    const run = resume({ model, toolset: toolsetOf([save]), thread, ...options });
    for await (const event of run.events()) if (event.type === 'approval-request') run.answer(event.questionId, 'deny');
    expect(ran).toEqual([{}]);
  });

  it('is asked about the one that was interrupted, and not about the later one', async () => {
    const thread = openThread('save');
    thread.marks.push({ type: 'call-begun', callId: '1', runId: 'r', time: 3 });
    const toolset = toolsetOf([tool('save', { effects: 'write' })]);
    const run = resume({ model: scriptedModel([again, {}]), toolset, thread });
    const asked: string[] = [];
    for await (const event of run.events())
      if (event.type === 'recovery-request') {
        asked.push(event.callId);
        run.answer(event.questionId, 'accept');
      }
    expect(asked).toEqual(['1']);
  });
});

it('takes no call of the model’s for one that a tool makes, whatever its id', async () => {
  const thread = memoryThread();
  const calls = [{ name: 'save', callId: 'c›1' }];
  const { messages } = await play([{ calls }, {}], [tool('save', { effects: 'write' })], { thread }).result;
  expect(resultsOf(messages)[0]?.callId).toBe('c-1');
  expect(marksOf(thread.marks)).toEqual([['call-begun', 'c-1']]);
});

/** A tool that does something inside its run, and one that may not be called unasked. */
const outer = (execute: (context: ToolContext) => unknown, timeoutMs?: number) =>
  tool('outer', {
    execute: (_input, _options, context) => execute(context),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
const savesAsked: Policy = ({ name }) => (name === 'save' ? 'ask' : 'allow');
const savingModel = () => scriptedModel([{ calls: [{ name: 'save' }] }, {}]);
const callsSave = ({ call: callTool }: ToolContext) => callTool('save', {});
const beginsSave = async ({ run }: ToolContext) => (await run({ messages: 'Save.', model: savingModel() })).result;

describe('a call whose time is over', () => {
  /** The tool goes on once the model has been told that it took too long; the model waits until it has. */
  async function afterItsTime(goOn: (context: ToolContext) => Promise<unknown>) {
    const [isTold, hasTried] = [gate(), gate()];
    const ran: string[] = [];
    let came: unknown;
    const model = streamedModel([
      () => [call('1', 'outer'), finish('tool-calls')],
      () => (isTold.open(), [hasTried, finish()]),
    ]);
    const late = outer(async (context) => {
      await isTold;
      came = await goOn(context).catch((error: unknown) => error);
      hasTried.open();
    }, 5);
    await play(model, [late, tool('save', { effects: 'write', execute: () => ran.push('save') })]).result;
    return { ran, came };
  }

  it('calls no other tool any more', async () => {
    expect(await afterItsTime(callsSave)).toMatchObject({ ran: [], came: { code: 'tool_cancelled' } });
  });

  it('begins no run any more', async () => {
    expect(await afterItsTime(beginsSave)).toMatchObject({ ran: [], came: { code: 'run_ended' } });
  });

  it('ends the run that it has begun', async () => {
    const [asked, begun] = [gate(), gate()];
    const ends: unknown[] = [];
    const inside = streamedModel([() => (begun.open(), [asked, call('2', 'save'), finish('tool-calls')])]);
    const begins = outer(async ({ run }) => {
      ends.push((await (await run({ messages: 'Save.', model: inside })).result).status);
      begun.open(); // on a slow machine the time is over before the model inside is asked
    }, 5);
    const model = streamedModel([() => [call('1', 'outer'), finish('tool-calls')], () => [begun, finish()]]);
    const ran: string[] = [];
    await play(model, [begins, tool('save', { effects: 'write', execute: () => ran.push('save') })]).result;
    asked.open();
    expect([ends, ran]).toEqual([['aborted'], []]);
  });

  it('no longer needs approval for its inner call if somebody cancels it meanwhile', async () => {
    const isAnswered = gate();
    const model = streamedModel([() => [call('1', 'outer'), finish('tool-calls')], () => [isAnswered, finish()]]);
    const run = play(model, [outer(callsSave, 5), tool('save', { effects: 'write' })], { policy: savesAsked });
    const { questionId } = await until(run, 'approval-request');
    run.cancel('1');
    for await (const event of run.events()) if (event.type === 'tool-end' && event.callId === '1') break;
    expect(() => run.answer(questionId, 'once')).toThrow(expect.objectContaining({ code: 'question_closed' }));
    isAnswered.open();
    expect((await eventsOf(run)).some(({ type, ...event }) => type === 'tool-start' && 'parentCallId' in event)).toBe(
      false,
    );
  });
});

it('a tool that continues after the end of its run calls nothing, and asks nobody', async () => {
  const isOver = gate();
  const came = gate();
  let result: unknown;
  const late = outer(async (context) => {
    await isOver;
    result = await callsSave(context);
    came.open();
  });
  const run = play([{ calls: [{ name: 'outer' }] }], [late, tool('save', { effects: 'write' })], {
    policy: savesAsked,
  });
  await until(run, 'tool-start');
  run.abort();
  await run.result;
  isOver.open();
  await came;
  expect(result).toMatchObject({ code: 'tool_cancelled' });
});

describe.each([
  ['a call that a tool makes', callsSave],
  ['a run that a tool began', beginsSave],
])('while %s waits for approval', (_, execute) => {
  async function asking() {
    const ran: string[] = [];
    const tools = [outer(execute), tool('save', { effects: 'write', execute: () => ran.push('save') })];
    const run = play([{ calls: [{ name: 'outer' }] }, { text: 'Fine.' }], tools, { policy: savesAsked });
    for await (const event of run.events())
      if (JSON.stringify(event).includes('"approval-request"')) return { run, ran };
    throw new Error('Nothing was asked.');
  }

  it('a new message counts as no approval, and the model reads it', async () => {
    const { run, ran } = await asking();
    run.send('Never mind.');
    expect(await run.result).toMatchObject({ status: 'complete', text: 'Fine.' });
    expect(JSON.stringify(run.model.requests.at(-1)?.messages)).toContain('Never mind.');
    expect(ran).toEqual([]);
  });

  it('a stop waits for nobody', async () => {
    const { run, ran } = await asking();
    run.stop();
    expect(await run.result).toMatchObject({ status: 'stopped', steps: 1 });
    expect(ran).toEqual([]);
  });
});

it('an answer to a run that is over, or never was, answers nothing of another', async () => {
  const run = play([{ calls: [{ name: 'save' }] }, {}], [tool('save', { effects: 'write' })], { policy: savesAsked });
  const { questionId } = await until(run, 'approval-request');
  const code = 'question_closed';
  expect(() => run.answer('another', 'once')).toThrow(expect.objectContaining({ code }));
  run.answer(questionId, 'deny');
  await run.result;
});

it('asks all the same where a preview never comes', async () => {
  const save = tool('save', { effects: 'write', preview: () => new Promise(() => undefined) });
  const run = play([{ calls: [{ name: 'save' }] }, {}], [save], { policy: savesAsked, limits: { toolTimeMs: 5 } });
  const request = await until(run, 'approval-request');
  expect(request).not.toHaveProperty('preview');
  run.answer(request.questionId, 'deny');
  await run.result;
});

it('a call that the user makes a change of waits its turn as one', async () => {
  const seen: string[] = [];
  const edit = tool('edit', {
    effects: (input) => ((input as { write?: boolean }).write ? 'write' : 'read'),
    async execute() {
      seen.push('begins');
      await Promise.resolve();
      seen.push('ends');
    },
  });
  const run = play([{ calls: [{ name: 'edit' }, { name: 'edit' }] }, {}], [edit], { policy: () => 'ask' });
  for await (const event of run.events())
    if (event.type === 'approval-request') run.answer(event.questionId, { input: { write: true } });
  expect(seen).toEqual(['begins', 'ends', 'begins', 'ends']);
});

it('says of a call that had begun that it was interrupted, though its tool is gone', async () => {
  const thread = openThread('save');
  thread.marks.push({ type: 'call-begun', callId: '1', runId: 'r', time: 3 });
  await resume({ model: scriptedModel([{}]), toolset: toolsetOf([]), thread }).result;
  expect(resultsOf(await messagesOf(thread))[0]?.output).toContain('It may or may not have taken effect.');
});

it('runs nothing whose beginning cannot be stored, and the next one once it can', async () => {
  const thread = memoryThread();
  let failures = 1;
  const append: typeof thread.append = async (entries, options) => {
    if (entries.some(({ type }) => type === 'call-begun') && failures-- > 0) throw new Error('The disk is full.');
    return thread.append(entries, options);
  };
  const ran: unknown[] = [];
  const save = tool('save', { effects: 'write', execute: (input) => void ran.push(input) });
  const tries = outer(async ({ call: callTool }) => {
    ran.push((await callTool('save', { n: 1 })).output);
    await callTool('save', { n: 2 });
  });
  const stored = { ...thread, append };
  await play([{ calls: [{ name: 'outer' }] }, {}], [tries, save], { thread: stored }).result;
  expect(ran).toEqual(['Tool execution failed: The disk is full.', { n: 2 }]);
  expect(marksOf(thread.marks)).toEqual([['call-begun', 'call-1']]);
});
