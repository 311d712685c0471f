// Budgets with servers that fail: each attempt's cost is booked once, and its reservation is released.
import { createRecords, run } from '@utensil/core';
import { storedBudget } from '@utensil/core/budget';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { calls, cases, eventsOf, expectRepeated, faultyWire, inTurn, says } from '../test-kit/faulty/wire.ts';
import { toolNamed, toolsetOf } from '../test-kit/faulty/tools.ts';

const toolset = toolsetOf(toolNamed('look'));
const looks = (note: string) => ({ blocks: [calls('look', { note: `${note} ½` })] });
const done = { blocks: [says('So ', 'it ½ is.')] };
const budgetOf = (tokens: number) => storedBudget(createRecords(memoryStorage()), { id: 'day', limits: { tokens } });

/** Token counts of a whole answer. */
const turnTokens = 30;

/** Far less than is set aside for a turn, and more than the estimate of any attempt of these runs that broke. */
const halfTokens = 150;

it.each(cases)('a budget records each attempt once: $name', async (each) => {
  const budget = budgetOf(1_000_000);
  await using wire = await faultyWire(each, inTurn(looks('one'), looks('two'), done));
  const { model, environment } = wire;
  const played = run({ model, environment, toolset, budget, messages: 'Go.' });
  const { status, usage } = await played.result;
  expect([status, usage.inputTokens + usage.outputTokens]).toEqual(['complete', 3 * turnTokens]);
  expectRepeated(wire, each, 3);
  const { spent, reserved } = await budget.balance();
  expect(reserved.tokens).toBe(0);
  expect(spent.tokens).toBeGreaterThanOrEqual(3 * turnTokens);
  expect(spent.tokens).toBeLessThanOrEqual(3 * turnTokens + (each.fault.isRefusal ? 0 : 3 * halfTokens));
  const events = await eventsOf(played);
  const isHalf = events.some(({ type }, at) => type === 'step-retry' && events[at - 1]?.type === 'text-delta');
  expect(spent.tokens > 3 * turnTokens).toBe(isHalf);
});

it.each(cases)('a budget that is used up ends the run: $name', async (each) => {
  const budget = budgetOf(2 * turnTokens);
  await using wire = await faultyWire(each, (_body, turn) => looks(`look ${turn}`));
  const { model, environment } = wire;
  const played = run({ model, environment, toolset, budget, messages: 'Go.' });
  const { status, limit } = await played.result;
  expect([status, limit]).toEqual(['limit', 'budget']);
  expect((await eventsOf(played)).filter(({ type }) => type === 'limit')).toMatchObject([{ limit: 'budget' }]);
  const { spent, reserved } = await budget.balance();
  expect(reserved.tokens).toBe(0);
  expect(spent.tokens).toBeGreaterThanOrEqual(2 * turnTokens);
  expect(spent.tokens).toBeLessThan(3 * turnTokens + 3 * halfTokens);
  expect(wire.sent().length).toBeLessThanOrEqual(4);
});

it.each(cases.filter(({ fault }) => fault.isRefusal))('a refused request costs nothing: $name', async (each) => {
  const budget = budgetOf(2 * turnTokens);
  await using wire = await faultyWire(each, (_body, turn) => looks(`look ${turn}`));
  const { model, environment } = wire;
  const { steps, limit } = await run({ model, environment, toolset, budget, messages: 'Go.' }).result;
  const { spent } = await budget.balance();
  expect([steps, limit, spent.tokens, wire.sent().length]).toEqual([2, 'budget', 2 * turnTokens, 4]);
});
