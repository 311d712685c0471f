// Every outcome of a run, stored by a real one and replayed.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import { result } from '../../tool/result.ts';
import { call, finish, gate, streamedModel, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import { branchThread } from '../../thread/branch.ts';
import { memoryThread } from '../../thread/memory-thread.ts';
import { messagesOf } from '../../thread/messages.ts';
import type { Thread } from '../../thread/thread.ts';
import { UtensilError } from '../../base/errors.ts';
import { permissions } from '../../run/permission/policy.ts';
import type { RunOptions } from '../../run/run.ts';
import { resume, run } from '../../run/lazy-run.ts';
import { noUsage } from '../../model/usage.ts';
import { scriptedModel } from '../scripted-model.ts';
import type { ScriptedTurn } from '../scripted-model.ts';
import { replayThread } from './replay-thread.ts';
import type { ReplayOptions } from './replay-thread.ts';

const look = tool('look');
const save = tool('save', { effects: 'write' });
const hang = tool('hang', {
  timeoutMs: 0,
  execute: (_input, _options, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('Given up.')))),
});
const { execute: _execute, ...pick } = tool('pick');
const tools = [look, save, hang, pick];

/** A run of a script, on a thread of its own. */
function begin(script: readonly ScriptedTurn[], options: Partial<RunOptions> = {}) {
  const thread = options.thread ?? memoryThread('t');
  const model = options.model ?? scriptedModel(script);
  return { thread, ...run({ toolset: toolsetOf(tools), messages: 'Go.', ...options, model, thread }) };
}

const replayOf = (thread: Thread, options: Partial<ReplayOptions> = {}) =>
  replayThread(thread, { toolset: tools, ...options });

const calls = (...names: readonly string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name })) });

describe('replays', () => {
  it('a run that was aborted in a call', async () => {
    const running = begin([calls('look', 'hang')]);
    await until(running, 'tool-end');
    running.abort();
    expect((await running.result).status).toBe('aborted');
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('a run that was aborted in an answer', async () => {
    const running = begin([{ text: 'Once upon', hangs: true }]);
    await until(running, 'text-delta');
    running.abort();
    await running.result;
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('a run that was stopped while it asked', async () => {
    const running = begin([calls('save')], { policy: permissions('write') });
    await until(running, 'approval-request');
    running.stop();
    expect((await running.result).status).toBe('needs-approval');
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('a run that was stopped in a call', async () => {
    const open = gate();
    const slow = tool('look', { execute: () => open });
    const running = begin([calls('look'), { text: 'Done.' }], { toolset: toolsetOf([slow]) });
    await until(running, 'tool-start');
    running.stop();
    open.open();
    expect((await running.result).status).toBe('stopped');
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('a message that dismissed a question', async () => {
    const running = begin([calls('save'), { text: 'Well.' }], { policy: permissions('write') });
    await until(running, 'approval-request');
    running.send('Never mind.');
    expect((await running.result).status).toBe('complete');
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('a message that left a question open', async () => {
    const running = begin([calls('save'), { text: 'Well.' }], { policy: permissions('write') });
    const { questionId } = await until(running, 'approval-request');
    running.send('Mind the step.', { questions: 'keep' });
    running.answer(questionId, 'once');
    await running.result;
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('calls that were cancelled, while they ran and while they were asked about', async () => {
    const running = begin([calls('hang', 'save'), { text: 'Well.' }], { policy: permissions('write') });
    const asked = until(running, 'approval-request');
    await until(running, 'tool-start');
    const { callId } = await asked;
    running.cancel('call-1', 'It takes too long.');
    running.cancel(callId);
    expect((await running.result).status).toBe('complete');
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('answers of every kind', async () => {
    const running = begin([calls('save', 'save', 'save', 'pick'), { text: 'Done.' }], { policy: permissions('write') });
    const answers = ['deny', 'once', { input: { text: 'b' } }] as const;
    let given = 0;
    for await (const event of running.events())
      if (event.type === 'input-request') running.answer(event.questionId, { output: 'red' }, { by: 'ann' });
      else if (event.type === 'approval-request')
        running.answer(event.questionId, answers[given++] ?? 'deny', { by: 'ann' });
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('a turn that was truncated behind a call, and the next model that was asked', async () => {
    const broken = new UtensilError('model_overloaded', 'Busy.');
    const model = scriptedModel([{ text: 'Hm', breaks: broken }], { id: 'first' });
    const fallback = [scriptedModel([calls('look'), { text: 'Done.' }], { id: 'second' })];
    const running = begin([], { model, fallback });
    expect((await running.result).status).toBe('complete');
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
    const cut = streamedModel([
      function* () {
        yield call('1', 'look');
        throw new UtensilError('stream_truncated', 'Cut.', { retryable: true });
      },
      () => [{ type: 'text-delta', text: 'Done.' }, finish()],
    ]);
    const again = begin([], { model: cut });
    expect((await again.result).status).toBe('complete');
    expect((await replayOf(again.thread)).divergence).toBeUndefined();
  });

  it('a run that failed', async () => {
    const running = begin([{ text: 'Half', breaks: new Error('Gone.') }]);
    expect((await running.result).status).toBe('error');
    expect((await replayOf(running.thread)).divergence).toBeUndefined();
  });

  it('limits, refusals, and arguments that are not JSON', async () => {
    const invalid = { calls: [{ name: 'look', input: '{"a":' }, { name: 'none' }] };
    const running = begin([invalid, calls('look'), { text: 'Stop.' }], { limits: { steps: 2 } });
    expect((await running.result).status).toBe('limit');
    expect((await replayOf(running.thread, { limits: { steps: 2 } })).divergence).toBeUndefined();
    const refused = begin([{ text: 'No.', reason: 'refusal' }]);
    await refused.result;
    expect((await replayOf(refused.thread)).divergence).toBeUndefined();
    const long = begin([{ text: 'And', reason: 'length' }]);
    await long.result;
    expect((await replayOf(long.thread)).divergence).toBeUndefined();
  });

  it('a tool that ends the run, one that changes its input, and an answer in a form', async () => {
    const end = tool('end', { execute: () => result({ output: 1, control: { end: { value: 1 } } }) });
    const own = tool('own', { execute: () => result({ output: 1, input: { by: 'the tool' } }) });
    const running = begin([calls('own'), calls('end')], { toolset: toolsetOf([end, own]) });
    expect((await running.result).status).toBe('complete');
    expect((await replayOf(running.thread, { toolset: [end, own] })).divergence).toBeUndefined();
    const output = jsonSchema({ type: 'object' });
    const formed = begin([{ calls: [{ name: 'final_answer', input: { a: 1 } }] }], { output });
    await formed.result;
    expect((await replayOf(formed.thread, { output })).divergence).toBeUndefined();
  });

  it('a tool that ended the run before the turn of its call was over', async () => {
    const isOver = gate();
    const end = tool('end', {
      execute: () => (setTimeout(isOver.open, 80), result({ output: 1, control: { end: { value: 1 } } })),
    });
    const model = streamedModel([() => [call('e', 'end'), isOver, finish('tool-calls')]]);
    const thread = memoryThread('t');
    const { result: ended } = run({ model, toolset: toolsetOf([end]), thread, messages: 'Go.' });
    expect((await ended).status).toBe('complete');
    const stored = (await thread.read()).entries.map(({ entry }) => entry.type);
    expect(stored.at(-2)).toBe('revision'); // the turn was stored with its call, and then with its end
    expect((await replayOf(thread, { toolset: [end] })).divergence).toBeUndefined();
  });

  it('branches: a regenerated answer, and an edited question', async () => {
    const thread = memoryThread('t');
    await begin([{ text: 'One.' }], { thread: branchThread(thread) }).result;
    const [question] = await messagesOf(thread);
    const again = { model: scriptedModel([calls('look'), { text: 'Two.' }]), toolset: toolsetOf(tools) };
    await resume({ ...again, thread: branchThread(thread, question?.id) }).result;
    await begin([{ text: 'Three.' }], { thread: branchThread(thread, null), messages: 'Go, please.' }).result;
    expect(await replayOf(thread)).toEqual({ runs: 3, steps: 4, notes: [] });
  });

  it('a conversation of several runs, and one that resumed a truncated turn', async () => {
    const thread = memoryThread('t');
    await begin([calls('look', 'save', 'look'), { text: 'One.' }], { thread }).result;
    await begin([{ text: 'Tw', breaks: 'truncated' }], { thread, limits: { retries: 0 } }).result;
    await resume({ model: scriptedModel([{ text: 'Two.' }]), toolset: toolsetOf(tools), thread }).result;
    await begin([{ text: 'Three.' }], { thread }).result;
    expect(await replayOf(thread)).toEqual({ runs: 4, steps: expect.any(Number), notes: [] });
  });

  it('a draft that its process left', async () => {
    const thread = memoryThread('t');
    const left = { id: 'd', role: 'assistant', parts: [{ type: 'text', text: 'Ha' }], createdAt: 1 } as const;
    await begin([{ text: 'One.' }], { thread }).result;
    const origin = { api: 'text', model: 'scripted' };
    await thread.append([
      { type: 'run-begun', runId: 'r', time: 1 },
      {
        type: 'message',
        message: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1, runId: 'r' },
      },
      { type: 'draft', message: { ...left, runId: 'r', origin, incomplete: true } },
    ]);
    await resume({ model: scriptedModel([{ text: 'Half.' }]), toolset: toolsetOf(tools), thread }).result;
    expect(await replayOf(thread)).toEqual({ runs: 3, steps: expect.any(Number), notes: [] });
  });

  it('what requests leave out, where the window is known', async () => {
    const thread = memoryThread('t');
    const long = tool('look', { execute: () => 'word '.repeat(400) });
    const usage = { ...noUsage, inputTokens: 900 };
    const script = [...Array.from({ length: 6 }, () => ({ ...calls('look'), usage })), { text: 'Done.' }];
    const model = scriptedModel(script, { contextWindow: 1_000 });
    await begin([], { thread, model, toolset: toolsetOf([long]) }).result;
    expect((await thread.read()).entries.some(({ entry }) => entry.type === 'compacted')).toBe(true);
    expect(await replayOf(thread, { model: { contextWindow: 1_000 } })).toEqual({ runs: 1, steps: 7, notes: [] });
    expect(await replayOf(thread)).toEqual({
      runs: 1,
      steps: 7,
      notes: ['What was left out of requests is not compared: give the `contextWindow` of the model.'],
    });
  });

  it('calls in the background: one that comes late, one that is cancelled, and one that a run parks for', async () => {
    const open = gate();
    const job = tool('job', {
      effects: 'write',
      execute: (input) => result({ output: 'begun', detached: input as JsonObject }),
      settle: (handle) => ((handle as JsonObject)['n'] === 1 ? open.then(() => 'done') : new Promise(() => undefined)),
    });
    const jobs = [1, 2, 3].map((n) => ({ calls: [{ name: 'job', callId: `job${n}`, input: { n } }] }));
    const script = [...jobs, { text: 'They are on their way.' }, { text: 'One is done.' }, { text: 'Two are.' }];
    const running = begin(script, { toolset: toolsetOf([job]), detached: { parkAfterMs: 50 } });
    let turns = 0;
    for await (const event of running.events()) {
      if (event.type === 'step-end' && ++turns === 4) open.open();
      if (event.type === 'step-end' && turns === 5) running.cancel('job2', 'Enough.');
    }
    expect((await running.result).status).toBe('needs-results');
    let settled = 0;
    const counting = { ...job, settle: () => settled++ };
    expect(await replayOf(running.thread, { toolset: [counting] })).toEqual({ runs: 1, steps: 6, notes: [] });
    expect(settled).toBe(0);
  });

  it('a script that is run, with the results that its calls had', async () => {
    const ran: string[] = [];
    const script = tool('script', {
      effects: 'write',
      replayable: true,
      async execute(_input, _options, context) {
        ran.push('script');
        return (await context.call('save', { text: 'a' })).output;
      },
    });
    const counted = { ...save, execute: () => (ran.push('save'), 'saved') };
    const running = begin([calls('script'), { text: 'Done.' }], {
      toolset: toolsetOf([script, counted]),
      seals: testSeals,
    });
    await running.result;
    expect(ran.splice(0)).toEqual(['script', 'save']);
    expect((await replayOf(running.thread, { toolset: [script, counted] })).divergence).toBeUndefined();
    expect(ran).toEqual([]);
    expect(
      (await replayOf(running.thread, { toolset: [script, counted], real: ['script'] })).divergence,
    ).toBeUndefined();
    expect(ran).toEqual(['script']);
    const { divergence } = await replayThread(running.thread, {
      toolset: [{ ...script, execute: () => 'nothing' }, counted],
      real: ['script'],
    });
    expect(divergence?.message).toMatch(/is "nothing"; stored is "saved"\.$/);
  });
});
