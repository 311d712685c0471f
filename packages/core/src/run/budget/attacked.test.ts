import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it, vi } from 'vitest';
import type { Model, ModelPart } from '../../model/model.ts';
import type { Usage } from '../../model/usage.ts';
import { noUsage } from '../../model/usage.ts';
import { createRecords } from '../../records/records.ts';
import type { RecordStore } from '../../records/records.ts';
import { eventsOf, play, tool } from '../../test-kit/runs.ts';
import { nothing } from './budget.ts';
import type { Budget } from './budget.ts';
import { storedBudget } from './stored-budget.ts';

const records = (): RecordStore => createRecords(memoryStorage());

const soon = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

const { signal } = new AbortController();

/** A model that calls a tool in each turn, for as many turns as it is said to take, and whose vendor counts as it likes. */
function countedModel(usage: Partial<Usage>, most = 20): Model & { turns(): number } {
  let turns = 0;
  return {
    info: { api: 'text', id: 'counted', reportsCost: true },
    turns: () => turns,
    async *stream(): AsyncGenerator<ModelPart> {
      const index = turns++;
      const isOver = index >= most;
      if (isOver) yield { type: 'text-delta', text: 'Done.' };
      else yield { type: 'tool-call', callId: `c${index}`, name: 'look', input: { index }, executedBy: 'us' };
      const counted = { ...noUsage, inputTokens: 900, outputTokens: 100, ...usage };
      yield { type: 'finish', reason: isOver ? 'stop' : 'tool-calls', usage: counted };
    },
  };
}

describe('a vendor that counts wrongly', () => {
  it.each<[string, Partial<Usage>]>([
    ['no number', { inputTokens: NaN }],
    ['no number of output', { outputTokens: NaN }],
    ['less than nothing', { inputTokens: -1_000_000 }],
  ])('once it had said %s, a limit of tokens never held again', async (_, usage) => {
    const model = countedModel(usage);
    const { status, limit } = await play(model, [tool('look')], { limits: { tokens: 500 } }).result;
    expect([status, limit]).toEqual(['limit', 'tokens']);
  });

  it.each<[string, Partial<Usage>]>([
    ['NaN', { inputTokens: NaN, cost: NaN }],
    ['Infinity', { outputTokens: Infinity }],
    ['-1,000,000', { inputTokens: -1_000_000, cost: -5 }],
  ])('one that says %s leaves an account that can be read, and is in no debt to the user', async (_, usage) => {
    const budget = storedBudget(records(), { id: 'u', limits: { tokens: 1e9, cost: 1e3 } });
    expect((await play(countedModel(usage, 2), [tool('look')], { budget }).result).status).toBe('complete');
    const { spent, reserved } = await budget.balance();
    expect(spent.tokens).toBeGreaterThan(0);
    expect(spent.cost).toBeGreaterThanOrEqual(0);
    expect(reserved).toEqual(nothing);
  });
});

it('a vendor that was said to report its cost, and does not, had a limit of cost that was never reached', async () => {
  const model = countedModel({});
  const { status, error } = await play(model, [tool('look')], { limits: { cost: 0.01 } }).result;
  expect([status, error?.code, model.turns()]).toEqual(['error', 'invalid_limit', 1]);
  expect(error?.message).toContain('counted');
  const { status: free } = await play(countedModel({ cost: 0 }, 2), [tool('look')], { limits: { cost: 0.01 } }).result;
  expect(free).toBe('complete');
});

describe('a run that waits for a budget', () => {
  it('ends when it is stopped, and asks for no turn any more', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { tokens: 100 } });
    await budget.reserve({ tokens: 100, cost: 0 }, { signal });
    const model = countedModel({}, 0);
    const played = play(model, [], { budget });
    await soon(20);
    played.stop();
    const { status } = await played.result;
    expect([status, model.turns()]).toEqual(['stopped', 0]);
    expect((await eventsOf(played)).filter(({ type }) => type === 'limit' || type === 'error')).toEqual([]);
  });

  it('inside another ends when that is stopped', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { tokens: 10_000 } });
    const model = countedModel({}, 0);
    const statuses: string[] = [];
    const agent = tool('look', {
      timeoutMs: 0,
      async execute(_input, _options, { run }) {
        await budget.reserve({ tokens: 10_000, cost: 0 }, { signal }); // somebody else's
        const child = await run({ messages: 'Task', model });
        void soon(20).then(() => played.stop());
        const { status } = await child.result;
        statuses.push(status);
        return status;
      },
    });
    const played = play(countedModel({}, 1), [agent], { budget });
    expect((await played.result).status).toBe('stopped');
    expect([statuses, model.turns()]).toEqual([['stopped'], 0]);
  });

  it('draws once on a budget that it is given twice, and does not wait for itself', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { tokens: 2_000 } });
    const { status } = await play(countedModel({}, 0), [], { budget: [budget, budget] }).result;
    expect(status).toBe('complete');
    expect((await budget.balance()).spent.tokens).toBe(1_000);
  });

  it('is refused at the start with two budgets of one id, which two runs might ask in two orders', async () => {
    const store = records();
    const day = storedBudget(store, { id: 'user-7', limits: { tokens: 2_000 } });
    const month = storedBudget(store, { id: 'user-7', limits: { tokens: 2_000 }, per: 'month' });
    const model = countedModel({}, 0);
    const { status, error } = await play(model, [], { budget: [day, month] }).result;
    expect([status, error?.code, model.turns()]).toEqual(['error', 'invalid_option', 0]);
    expect(error?.message).toContain('user-7');
  });
});

describe('the record of a budget', () => {
  it('that is removed during a turn starts again with the usage of that turn, and grants nothing extra', async () => {
    const store = records();
    const budget = storedBudget(store, { id: 'u', limits: { tokens: 10_000 }, per: 'ever' });
    const held = await budget.reserve({ tokens: 5_000, cost: 2 }, { signal });
    await store.commit([{ type: 'remove', key: ['budgets', 'u', 'ever'] }]);
    const other = await budget.reserve({ tokens: 3_000, cost: 0 }, { signal });
    await other?.settle({ tokens: 3_000, cost: 0 });
    await held?.settle({ tokens: 1_000, cost: 1 });
    expect((await budget.balance()).spent).toEqual({ tokens: 4_000, cost: 1 });
  });

  it('is changed once by a turn that is settled twice', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { tokens: 10_000 } });
    const held = await budget.reserve({ tokens: 5_000, cost: 0 }, { signal });
    await held?.settle({ tokens: 1_000, cost: 0 });
    await held?.settle({ tokens: 1_000, cost: 0 });
    expect((await budget.balance()).spent.tokens).toBe(1_000);
  });
});

describe('a budget of one’s own', () => {
  const owned = (settle: () => Promise<void>): Budget => ({ id: 'own', limits: {}, reserve: async () => ({ settle }) });

  it('that throws when it is settled loses no answer, and keeps no other one from being settled', async () => {
    const other = storedBudget(records(), { id: 'u', limits: { tokens: 10_000 } });
    const throws = owned(() => {
      throw new Error('no connection');
    });
    const { status, text } = await play(countedModel({}, 0), [], { budget: [throws, other] }).result;
    expect([status, text]).toEqual(['complete', 'Done.']);
    expect(await other.balance()).toEqual({ spent: { tokens: 1_000, cost: 0 }, reserved: nothing });
  });

  it('that never ends to be settled keeps the answer for ten seconds, and not for ever', async () => {
    vi.useFakeTimers();
    try {
      const played = play(countedModel({}, 0), [], { budget: [owned(() => new Promise(() => undefined))] });
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await played.result).text).toBe('Done.');
    } finally {
      vi.useRealTimers();
    }
  });
});
