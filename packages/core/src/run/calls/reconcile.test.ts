import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { memoryStorage } from '@utensil/storage-memory';
import { createRecords } from '../../records/records.ts';
import type { RecordStore } from '../../records/records.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import { option } from '../../tool/option.ts';
import { defineTool } from '../../tool/define.ts';
import type { Reconciled, Tool, ToolContext } from '../../tool/tool.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { openThread } from '../../thread/open-thread.ts';
import { platformClock } from '../../thread/clock.ts';
import { runTool } from '../../toolset/run-tool.ts';
import { eventsOf, gate, play, resultsOf, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import { resume } from '../lazy-run.ts';
import type { ResumeOptions } from '../run.ts';

const pay = { calls: [{ name: 'pay', input: { amount: 5 } }] };
const done = { text: 'Done.' };

/** The thread as seen by a process that knows that the previous one has ended, or does not know. */
const threadOf = (records: RecordStore, isAlive?: boolean) =>
  openThread(records, 'paid', { holder: { id: () => 'h', isAlive: () => isAlive } });

/** A payment that is under way when its process ends. */
async function interrupted(more: Partial<Tool> = {}, approves = false): Promise<RecordStore> {
  const records = createRecords(memoryStorage());
  const begun = gate();
  const hangs = tool('pay', {
    effects: 'write',
    execute: () => (begun.open(), new Promise(() => undefined)),
    timeoutMs: 0,
    ...more,
  });
  const played = play([pay], [hangs], {
    thread: threadOf(records),
    seals: testSeals,
    policy: () => (approves ? 'ask' : 'allow'),
  });
  if (approves) played.answer((await until(played, 'approval-request')).questionId, 'once');
  await begun;
  return records;
}

/** A payment that reports its outcome, and is repeated if necessary. */
function paying(found: () => Reconciled | Promise<Reconciled>, more: Partial<Tool> = {}) {
  const made: string[] = [];
  const payment = tool('pay', {
    effects: 'write',
    execute: (_input, _options, { idempotencyKey }) => `paid anew ${made.push(idempotencyKey)}`,
    reconcile: found,
    ...more,
  });
  return { payment, made };
}

function goOn(records: RecordStore, payment: Tool, more: Partial<ResumeOptions> = {}) {
  return resume({
    model: scriptedModel([done]),
    toolset: toolsetOf([payment]),
    thread: threadOf(records, false),
    seals: testSeals,
    ...more,
  });
}

const outputs = async (resumed: ReturnType<typeof goOn>) =>
  resultsOf((await resumed.result).messages).map(({ output }) => output);

describe('a call that had begun, of a tool that can check its outcome', () => {
  it('has the result that it came to: nobody is asked, and nothing is done again', async () => {
    const { payment, made } = paying(() => ({ done: 'paid before' }));
    const resumed = goOn(await interrupted(), payment);
    expect(await outputs(resumed)).toEqual(['paid before']);
    const types = (await eventsOf(resumed)).map(({ type }) => type);
    expect(types).toContain('tool-end');
    expect(types.filter((type) => type === 'tool-start' || type === 'recovery-request')).toEqual([]);
    expect(made).toEqual([]);
  });

  it('is made again if nothing was done, and its maker has ended', async () => {
    const { payment, made } = paying(() => 'not-done');
    expect(await outputs(goOn(await interrupted(), payment))).toEqual(['paid anew 1']);
    expect(made).toHaveLength(1);
  });

  it('is not made again while its maker may be at it: a person is asked', async () => {
    const { payment, made } = paying(() => 'not-done');
    const records = await interrupted();
    const clock = { ...platformClock, now: () => Date.now() + 1e9, after: fast };
    const thread = openThread(records, 'paid', { clock });
    const resumed = goOn(records, payment, { thread });
    resumed.answer((await until(resumed, 'recovery-request')).questionId, 'reject');
    expect((await resumed.result).status).toBe('complete');
    expect(made).toEqual([]);
  });

  it('is asked about where the one before the last may be at it, though the last has ended', async () => {
    const { payment, made } = paying(() => 'not-done');
    const records = await interrupted();
    const clock = { ...platformClock, now: () => Date.now() + 1e9, after: fast };
    await openThread(records, 'paid', { clock, holder: { id: () => 'second', isAlive: () => undefined } }).claim({
      runId: 'second',
    });
    const resumed = goOn(records, payment);
    resumed.answer((await until(resumed, 'recovery-request')).questionId, 'reject');
    await resumed.result;
    expect(made).toEqual([]);
  });

  it.each<[string, () => Reconciled | Promise<Reconciled>]>([
    ['does not know', () => 'unknown'],
    ['throws', () => Promise.reject(new Error('The bank does not answer.'))],
    ['says something else', () => 'perhaps' as 'unknown'],
    ['takes too long', () => new Promise<Reconciled>(() => undefined)],
    ['gives what is no output of it', () => ({ done: 7 })],
  ])('is asked about if its tool %s, and reported as interrupted if nobody can be asked', async (_, found) => {
    const { payment, made } = paying(found, { timeoutMs: 30, output: jsonSchema<string>({ type: 'string' }) });
    const asking = goOn(await interrupted(), payment);
    asking.answer((await until(asking, 'recovery-request')).questionId, 'again');
    expect(await outputs(asking)).toEqual(['paid anew 1']);
    const { result } = goOn(await interrupted(), payment, { interactive: false });
    expect(resultsOf((await result).messages)).toMatchObject([{ isError: true, code: 'tool_interrupted' }]);
    expect(made).toHaveLength(1);
  });

  it('is asked about if its tool may take for ever, and takes that to look it up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const lookedUp = gate();
      const found = (): Promise<Reconciled> => (lookedUp.open(), new Promise(() => undefined));
      const { payment } = paying(found, { timeoutMs: 0 });
      const asking = goOn(await interrupted(), payment);
      const asked = until(asking, 'recovery-request');
      await lookedUp;
      await vi.advanceTimersByTimeAsync(60_000);
      asking.answer((await asked).questionId, 'reject');
      expect((await asking.result).status).toBe('complete');
    } finally {
      vi.useRealTimers();
    }
  });

  it('stays approved, and is asked about again if its tool has changed', async () => {
    const { payment, made } = paying(() => 'not-done');
    const policy = () => 'ask' as const;
    expect(await outputs(goOn(await interrupted({}, true), payment, { policy }))).toEqual(['paid anew 1']);
    const alone = goOn(await interrupted({}, true), payment, { policy, interactive: false });
    expect(await outputs(alone)).toEqual(['paid anew 2']);
    const changed = goOn(await interrupted({}, true), { ...payment, description: 'Pays twice.' }, { policy });
    changed.answer((await until(changed, 'approval-request')).questionId, 'deny');
    await changed.result;
    expect(made).toHaveLength(2);
  });

  it('stays as the person decided, whatever its tool says later', async () => {
    const records = await interrupted();
    const first = goOn(records, paying(() => 'unknown').payment);
    const { questionId } = await until(first, 'recovery-request');
    first.stop();
    await first.result;
    const { payment, made } = paying(() => ({ done: 'paid before' }));
    const { answerQuestion } = await import('../../thread/answer-question.ts');
    await answerQuestion(threadOf(records), { questionId, answer: 'again', seals: testSeals });
    expect(await outputs(goOn(records, payment))).toEqual(['paid anew 1']);
    expect(made).toHaveLength(1);
  });

  it('is looked up with its input, its options and its key, and by a tool that changes nothing', async () => {
    const seen: unknown[] = [];
    const records = await interrupted();
    const payment = defineTool({
      name: 'pay',
      description: 'pay',
      input: z.toJSONSchema(z.object({ amount: z.number() })),
      options: { account: option.text({ label: 'Account', default: 'main' }) },
      effects: 'write',
      output: jsonSchema<string>({ type: 'string' }),
      execute: () => 'paid',
      async reconcile({ amount }, { account }, context) {
        seen.push(amount, account, context.idempotencyKey.length, context.threadId);
        const { call } = context as ToolContext;
        seen.push((await call('pay', { amount: 9 })).code);
        return { done: 'paid before' };
      },
    });
    expect(await outputs(goOn(records, payment))).toEqual(['paid before']);
    expect(seen).toEqual([5, 'main', 32, 'paid', 'unknown_tool']);
  });
});

/** Time that passes at once. */
function fast(_ms: number, call: () => void): () => void {
  const timer = setImmediate(call);
  return () => clearImmediate(timer);
}

describe('the idempotency key of a call', () => {
  const keys = (): { readonly seen: string[]; readonly note: Tool } => {
    const seen: string[] = [];
    const execute: Tool['execute'] = (_input, _options, { idempotencyKey }) => `${seen.push(idempotencyKey)}`;
    return { seen, note: tool('note', { effects: 'write', idempotent: true, execute }) };
  };
  const call = (callId: string) => ({ calls: [{ name: 'note', callId }] });

  it('is its own, in each thread and each run without one', async () => {
    const { seen, note } = keys();
    const records = createRecords(memoryStorage());
    const script = [{ calls: [...call('a').calls, ...call('b').calls] }, done];
    await play(script, [note], { thread: openThread(records, 'one') }).result;
    await play(script, [note], { thread: openThread(records, 'two') }).result;
    await play(script, [note], { thread: openThread(createRecords(memoryStorage()), 'one'), projectId: 'other' })
      .result;
    await play(script, [note]).result;
    await play(script, [note]).result;
    await runTool(note, {});
    expect(new Set(seen).size).toBe(11);
    expect(seen.every((key) => /^[\da-f]{32}$/.test(key))).toBe(true);
  });

  it('is the same for each attempt at it, in another process and under another run', async () => {
    const { seen, note } = keys();
    const records = createRecords(memoryStorage());
    const execute: Tool['execute'] = (_input, _options, { idempotencyKey }) => {
      seen.push(idempotencyKey);
      return new Promise(() => undefined);
    };
    const first = play([call('a')], [{ ...note, execute }], { thread: threadOf(records) });
    await until(first, 'tool-start');
    const resumed = goOn(records, note);
    expect((await resumed.result).status).toBe('complete');
    expect(seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(1);
  });

  it('is another in the thread of another app, or after the thread was deleted, though all ids are the same', async () => {
    const { seen, note } = keys();
    for (let count = 0; count < 2; count++) {
      const thread = openThread(createRecords(memoryStorage()), 'main');
      await play([call('functions.note:0'), done], [note], { thread }).result;
    }
    expect(new Set(seen).size).toBe(2);
  });

  it('is the same under each resumption of a thread whose messages are of no run', async () => {
    const { seen, note } = keys();
    const records = createRecords(memoryStorage());
    const part = { type: 'tool-call', callId: 'a', name: 'note', input: {}, title: 'note', executedBy: 'us' } as const;
    const message = { id: 'm', role: 'assistant', parts: [part], createdAt: 1 } as const;
    await threadOf(records).append([{ type: 'message', message }]);
    const stuck: Tool = {
      ...note,
      execute: (_input, _options, { idempotencyKey }) => (seen.push(idempotencyKey), new Promise(() => undefined)),
    };
    await until(goOn(records, stuck), 'tool-start');
    await goOn(records, note).result;
    expect(seen).toHaveLength(2);
    expect(new Set(seen).size).toBe(1);
  });

  it('was that of another payment if a tool made its calls in another order the second time', async () => {
    const paid = new Map<string, unknown>();
    let order = ['ann', 'ben', 'ann'];
    const ends = gate();
    const credit = tool('credit', {
      effects: 'write',
      idempotent: true,
      execute: (input, _options, { idempotencyKey }) => void paid.set(idempotencyKey, input),
    });
    const all = tool('all', {
      effects: 'write',
      timeoutMs: 0,
      async execute(_input, _options, context) {
        for (const to of order) await context.call('credit', { to });
        ends.open();
        if (order[0] === 'ann') await new Promise(() => undefined);
      },
    });
    const records = createRecords(memoryStorage());
    const first = play([{ calls: [{ name: 'all' }] }], [credit, all], { thread: threadOf(records) });
    await ends;
    expect(paid.size).toBe(3);
    order = ['ben', 'ann', 'ann', 'zoe'];
    const resumed = resume({
      model: scriptedModel([done]),
      toolset: toolsetOf([credit, all]),
      thread: threadOf(records, false),
    });
    resumed.answer((await until(resumed, 'recovery-request')).questionId, 'again');
    await resumed.result;
    expect([...paid.values()]).toEqual([{ to: 'ann' }, { to: 'ben' }, { to: 'ann' }, { to: 'zoe' }]);
    first.abort();
    await first.result;
  });

  it('of a call that a tool makes is its own, too', async () => {
    const { seen, note } = keys();
    const both = tool('both', {
      execute: async (_input, _options, context) => {
        await context.call('note', {});
        await context.call('note', {});
        seen.push(context.idempotencyKey);
      },
    });
    await play([{ calls: [{ name: 'both' }] }, done], [note, both]).result;
    expect(new Set(seen).size).toBe(3);
  });
});
