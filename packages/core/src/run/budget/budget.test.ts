import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { isUtensilError, UtensilError } from '../../base/errors.ts';
import type { Model, ModelPart } from '../../model/model.ts';
import { noUsage } from '../../model/usage.ts';
import { createRecords } from '../../records/records.ts';
import type { RecordStore } from '../../records/records.ts';
import { eventsOf, gate, play, tool } from '../../test-kit/runs.ts';
import type { Clock } from '../../thread/clock.ts';
import { platformClock } from '../../thread/clock.ts';
import type { RunOptions } from '../run.ts';
import { createAccount } from './account.ts';
import { nothing } from './budget.ts';
import type { Budget } from './budget.ts';
import { storedBudget } from './stored-budget.ts';

interface Billed {
  /** In US dollars, for each turn. */
  readonly cost?: number;
  /** A turn that calls this tool; absent: it answers. */
  readonly calls?: (turn: number) => string | undefined;
  readonly turn?: () => Promise<unknown>;
}

/** A model whose vendor says what each turn cost. */
function billedModel({ cost = 0.1, calls = () => undefined, turn }: Billed = {}) {
  let turns = 0;
  const model: Model & { readonly turns: () => number } = {
    info: { api: 'text', id: 'billed', reportsCost: true },
    turns: () => turns,
    async *stream(): AsyncGenerator<ModelPart> {
      const index = turns++;
      await turn?.();
      const name = calls(index);
      if (name === undefined) yield { type: 'text-delta', text: 'Done.' };
      else yield { type: 'tool-call', callId: `c${index}`, name, input: { index }, executedBy: 'us' };
      const usage = { ...noUsage, inputTokens: 900, outputTokens: 100, cost };
      yield { type: 'finish', reason: name === undefined ? 'stop' : 'tool-calls', usage };
    },
  };
  return model;
}

const soon = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

const signal = new AbortController().signal;

const records = (): RecordStore => createRecords(memoryStorage());

const drawOn = (budget: Budget, model: Model, more: Partial<RunOptions> = {}) =>
  play(model, [tool('look')], { budget, ...more }).result;

describe('the limits of a run', () => {
  /** An agent that begins `count` runs at the same time, each of which would look for ever. */
  const agents = (count: number, limits = {}) =>
    tool('agents', {
      timeoutMs: 0,
      async execute(_input, _options, { run }) {
        const inner = Array.from({ length: count }, async (_, index) => {
          const child = await run({ messages: `Task ${index}`, model: billedModel({ calls: () => 'look' }), limits });
          return (await child.result).status;
        });
        return Promise.all(inner);
      },
    });
  const outer = (more: Partial<RunOptions>, count = 8, inner = {}) =>
    play(
      billedModel({ calls: (turn) => (turn === 0 ? 'agents' : undefined) }),
      [agents(count, inner), tool('look')],
      more,
    );

  it('hold for all runs inside it together, and not for each of them', async () => {
    const { usage, status } = await outer({ limits: { cost: 2 } }).result;
    expect(status).toBe('limit');
    // each of the nine has a last turn, and at most one more was under way in each of the eight
    expect(usage.cost).toBeLessThanOrEqual(2 + 0.1 * 9 + 0.1 * 8);
    expect(usage.cost).toBeGreaterThanOrEqual(2);
  });

  it('are also those of a run inside that has its own', async () => {
    const { usage } = await outer({ limits: { tokens: 100_000 } }, 3, { tokens: 5_000, steps: 99 }).result;
    expect(usage.inputTokens + usage.outputTokens).toBeLessThanOrEqual(2_000 + 3 * 7_000);
  });

  it('count what a run inside took as soon as its turn is over', async () => {
    const [held, fourth] = [gate(), gate()];
    let inside = 0;
    const turn = (): Promise<void> => (++inside === 4 ? (fourth.open(), held) : soon(0));
    const waiting = tool('agents', {
      async execute(_input, _options, { run }) {
        const model = billedModel({ calls: () => 'look', turn });
        return (await (await run({ messages: 'Task', model, limits: {} })).result).status;
      },
    });
    const played = play(billedModel({ calls: () => 'agents' }), [waiting, tool('look')], { limits: { cost: 9 } });
    await fourth;
    played.abort();
    held.open();
    const { usage, status } = await played.result;
    expect(status).toBe('aborted');
    expect(usage.cost).toBeCloseTo(0.4);
  });

  it('go on for as much again, for all runs inside too, if somebody says so', async () => {
    let asked = 0;
    const { usage } = await outer({ limits: { cost: 2 }, onLimit: () => ++asked === 1 }).result;
    expect(usage.cost).toBeGreaterThanOrEqual(4 - 0.9);
    expect(usage.cost).toBeLessThanOrEqual(4 + 0.1 * 17);
  });

  it('are refused at the start if the price of a model is not known, one of the fallback too', async () => {
    const unpriced: Model = { ...billedModel(), info: { api: 'text', id: 'mystery-1' } };
    const priced = billedModel();
    for (const [model, fallback] of [
      [unpriced, []],
      [priced, [unpriced]],
    ] as const) {
      const { status, error } = await play(model, [], { limits: { cost: 1 }, fallback }).result;
      expect([status, error?.code]).toEqual(['error', 'invalid_limit']);
      expect(error?.message).toContain('the price of mystery-1 is not known');
    }
    expect(priced.turns()).toBe(0);
    const { status } = await play(unpriced, [], { limits: { tokens: 5_000, cost: Infinity } }).result;
    expect(status).toBe('complete');
  });

  it('hold if a server does not count tokens, by an estimate', async () => {
    const silent: Model = {
      info: { api: 'text', id: 'silent' },
      async *stream(): AsyncGenerator<ModelPart> {
        yield { type: 'text-delta', text: 'word '.repeat(400) };
        yield {
          type: 'tool-call',
          callId: `${Math.random()}`,
          name: 'look',
          input: { at: Math.random() },
          executedBy: 'us',
        };
        yield { type: 'finish', reason: 'tool-calls', usage: noUsage };
      },
    };
    const { status, limit, steps } = await play(silent, [tool('look')], { limits: { tokens: 10_000 } }).result;
    expect([status, limit]).toEqual(['limit', 'tokens']);
    expect(steps).toBeLessThan(10);
  });
});

describe('a budget', () => {
  it('is shared by runs, and ends one that it has nothing left for: there is no last turn', async () => {
    const budget = storedBudget(records(), { id: 'user-7', limits: { cost: 0.45 } });
    const model = billedModel({ calls: () => 'look' });
    const played = play(model, [tool('look')], { budget });
    const { status, limit } = await played.result;
    expect([status, limit, model.turns()]).toEqual(['limit', 'budget', 5]);
    expect((await eventsOf(played)).filter(({ type }) => type === 'limit')).toMatchObject([{ limit: 'budget' }]);
    const { spent, reserved } = await budget.balance();
    expect([spent.tokens, reserved]).toEqual([5_000, nothing]);
    expect(spent.cost).toBeCloseTo(0.5);
    const later = billedModel();
    expect((await drawOn(budget, later)).limit).toBe('budget');
    expect(later.turns()).toBe(0);
  });

  it('is drawn on by runs inside as well', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { cost: 5 } });
    const agent = tool('look', {
      execute: async (_input, _options, { run }) =>
        (await (await run({ messages: 'Task', model: billedModel({ cost: 1 }) })).result).status,
    });
    await play(billedModel({ calls: (turn) => (turn === 0 ? 'look' : undefined) }), [agent], { budget }).result;
    expect((await budget.balance()).spent.cost).toBeCloseTo(1.2);
  });

  it('of 50 concurrent runs is overspent by no more than their reservations', async () => {
    const storage = memoryStorage();
    const budgets = [0, 1, 2].map(() => storedBudget(createRecords(storage), { id: 'u', limits: { cost: 3 } }));
    let most = 0;
    let underWay = 0;
    const turn = async (): Promise<void> => {
      most = Math.max(most, ++underWay);
      await soon(1);
      underWay--;
    };
    const runs = Array.from({ length: 50 }, (_, index) => {
      const model = billedModel({ calls: () => 'look', turn });
      return drawOn(budgets[index % 3] as Budget, model, { limits: { steps: 9 } });
    });
    const results = await Promise.all(runs);
    const taken = results.reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0);
    const { spent, reserved } = (await budgets[0]?.balance()) ?? { spent: nothing };
    expect(spent.cost).toBeCloseTo(taken);
    expect(reserved).toEqual(nothing);
    expect(taken).toBeGreaterThanOrEqual(3);
    expect(taken).toBeLessThanOrEqual(3 + 0.1 * 50);
    expect(most).toBeGreaterThan(1);
  }, 30_000);

  it('waits while all of it is reserved, and continues when others return their share', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { cost: 1 } });
    const held = await budget.reserve({ tokens: 0, cost: 1 }, { signal });
    const model = billedModel();
    const result = drawOn(budget, model);
    await soon(20);
    expect(model.turns()).toBe(0);
    await held?.settle({ tokens: 10, cost: 0.2 });
    expect((await result).status).toBe('complete');
    expect((await budget.balance()).spent.cost).toBeCloseTo(0.3);
  });

  it('does not keep a run that is aborted while it waits', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { tokens: 1 } });
    await budget.reserve({ tokens: 1, cost: 0 }, { signal });
    const played = play(billedModel(), [], { budget });
    await soon(5);
    played.abort();
    expect((await played.result).status).toBe('aborted');
  });

  it('does not keep a run that is aborted by a budget that never answers', async () => {
    const silent: Budget = { id: 'x', limits: {}, reserve: () => new Promise(() => undefined) };
    const played = play(billedModel(), [], { budget: silent });
    await soon(5);
    played.abort();
    expect((await played.result).status).toBe('aborted');
  });

  it('counts unsettled reservations in full, and late settlements by their amount', async () => {
    let now = 1_000;
    const clock: Clock = { ...platformClock, now: () => now };
    const budget = storedBudget(records(), { id: 'u', limits: { cost: 10 }, holdMs: 500, clock });
    const late = await budget.reserve({ tokens: 100, cost: 4 }, { signal });
    await budget.reserve({ tokens: 100, cost: 5 }, { signal });
    now += 600;
    expect((await budget.balance()).spent.cost).toBe(9);
    await late?.settle({ tokens: 10, cost: 1 });
    expect(await budget.balance()).toEqual({ spent: { tokens: 110, cost: 6 }, reserved: nothing });
  });

  it('begins again with its period, and a turn belongs to that in which it began', async () => {
    let now = Date.UTC(2026, 11, 31, 23, 59);
    const clock: Clock = { ...platformClock, now: () => now };
    const store = records();
    const day = storedBudget(store, { id: 'u', limits: { cost: 1 }, clock });
    const month = storedBudget(store, { id: 'u-month', limits: { cost: 1 }, per: 'month', clock });
    const ever = storedBudget(store, { id: 'u-ever', limits: { cost: 1 }, per: 'ever', clock });
    const weekly = storedBudget(store, { id: 'u-week', limits: { cost: 1 }, per: () => 'week 1', clock });
    const all = [day, month, ever, weekly];
    const held = await Promise.all(all.map((each) => each.reserve({ tokens: 0, cost: 0.5 }, { signal })));
    now += 120_000;
    for (const each of held) await each?.settle({ tokens: 0, cost: 1 });
    const spent = await Promise.all(all.map(async (each) => (await each.balance()).spent.cost));
    expect(spent).toEqual([0, 0, 1, 1]);
    expect(await weekly.reserve({ tokens: 0, cost: 0.1 }, { signal })).toBeUndefined();
  });

  it.each<Json>([
    7,
    { version: 2 },
    { version: 1, spent: { tokens: '1', cost: 0 }, reserved: {} },
    { version: 1, spent: { tokens: 0, cost: 0 }, reserved: [] },
  ])('whose record is %j spends nothing, and says what to do', async (value) => {
    const store = records();
    const clock: Clock = { ...platformClock, now: () => 0 };
    await store.put(['budgets', 'u', '1970-01-01'], value);
    const model = billedModel();
    const { status, error } = await drawOn(storedBudget(store, { id: 'u', limits: { cost: 1 }, clock }), model);
    expect([status, error?.code, model.turns()]).toEqual(['error', 'record_corrupt', 0]);
    expect(error?.message).toContain('budgets/u/1970-01-01');
  });

  it('that cannot be settled ends no run, and counts as it was set aside', async () => {
    const store = records();
    let fails = false;
    const commit: RecordStore['commit'] = (...args) =>
      fails ? Promise.reject(new UtensilError('ENOSPC', 'full')) : store.commit(...args);
    const budget = storedBudget({ ...store, commit }, { id: 'u', limits: { tokens: 1e6 } });
    const model = billedModel({ turn: async () => void (fails = true) });
    expect((await drawOn(budget, model)).status).toBe('complete');
    expect((await budget.balance()).reserved.tokens).toBeGreaterThan(4_000);
  });

  it('counts a truncated attempt by its streamed parts, and an attempt that never began not at all', async () => {
    const budget = storedBudget(records(), { id: 'u', limits: { tokens: 1e6 } });
    let attempts = 0;
    const unsteady: Model = {
      info: { api: 'text', id: 'unsteady' },
      async *stream(): AsyncGenerator<ModelPart> {
        attempts++;
        if (attempts === 1) throw new UtensilError('model_overloaded', 'busy', { retryable: true, retryAfterMs: 1 });
        yield { type: 'text-delta', text: 'x'.repeat(4_000) };
        if (attempts === 2) throw new UtensilError('stream_truncated', 'cut', { retryable: true, retryAfterMs: 1 });
        yield { type: 'finish', reason: 'stop', usage: { ...noUsage, inputTokens: 10, outputTokens: 1_000 } };
      },
    };
    expect((await drawOn(budget, unsteady)).status).toBe('complete');
    const { tokens } = (await budget.balance()).spent;
    expect(attempts).toBe(3);
    expect(tokens).toBeGreaterThan(2_000);
    expect(tokens).toBeLessThan(2_100);
  });

  it('is asked in the same order by all runs, so that two of them never wait for each other', async () => {
    const store = records();
    const [a, b] = ['a', 'b'].map((id) =>
      storedBudget(store, { id, limits: { tokens: 2_000 } }),
    ) as readonly Budget[] as [Budget, Budget];
    const runs = Array.from({ length: 20 }, (_, index) =>
      play(billedModel({ turn: () => soon(1) }), [], { budget: index % 2 === 0 ? [a, b] : [b, a] }),
    );
    const statuses = new Set((await Promise.all(runs.map(({ result }) => result))).map(({ status }) => status));
    expect([...statuses].every((status) => status === 'complete' || status === 'limit')).toBe(true);
  });

  it('refuses a limit that is none', () => {
    for (const cost of [-1, NaN, '5' as unknown as number]) {
      expect(() => storedBudget(records(), { id: 'u', limits: { cost } })).toThrow(/limits\.cost/);
    }
  });
});

it('an account is never overspent by more than the reservations, in any order of reserving, settling and extending', async () => {
  const amount = fc.record({ aside: fc.integer({ min: 1, max: 50 }), really: fc.integer({ min: 0, max: 80 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 200 }),
      fc.array(amount, { maxLength: 30 }),
      fc.scheduler(),
      async (limit, turns, scheduler) => {
        const account = createAccount({ tokens: limit });
        let spent = 0;
        let begunAt = 0;
        let mostOpen = 0;
        let open = 0;
        const each = turns.map(async ({ aside, really }) => {
          const held = await account.reserve({ tokens: aside, cost: 0 }, { signal });
          if (held === undefined) return;
          begunAt = Math.max(begunAt, spent);
          mostOpen = Math.max(mostOpen, ++open);
          await scheduler.schedule(Promise.resolve());
          spent += really;
          open--;
          await held.settle({ tokens: really, cost: 0 });
        });
        await scheduler.waitFor(Promise.all(each));
        expect(begunAt).toBeLessThan(Math.max(limit, 1));
        expect(spent).toBeLessThanOrEqual(limit + mostOpen * 80);
      },
    ),
  );
});

it('a wait for an account ends with its signal', async () => {
  const account = createAccount({ tokens: 1 });
  await account.reserve({ tokens: 1, cost: 0 }, { signal });
  const abortion = new AbortController();
  const waits = account.reserve({ tokens: 1, cost: 0 }, { signal: abortion.signal });
  abortion.abort(new UtensilError('aborted', 'over'));
  expect(await waits.catch((error: unknown) => isUtensilError(error, 'aborted'))).toBe(true);
});
