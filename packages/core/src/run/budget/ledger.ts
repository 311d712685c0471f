import { UtensilError } from '../../base/errors.ts';
import type { Message } from '../../model/message.ts';
import type { Model, ModelInfo } from '../../model/model.ts';
import type { Usage } from '../../model/usage.ts';
import type { RunLimit, RunLimits } from '../../tool/run-limits.ts';
import { bounded } from '../bounded.ts';
import type { RunInput } from '../loop/state.ts';
import { createAccount } from './account.ts';
import type { Account } from './account.ts';
import { add, nothing } from './budget.ts';
import type { Budget, Reservation, Spending } from './budget.ts';
import { estimateTurn, spentBy, spendingOf } from './estimate.ts';
import type { PlannedTurn } from './estimate.ts';

/** Limits and budgets that apply to a run: its own, and those of its outer runs. */
export interface Ledger {
  /** The run's own account first, then those of its outer runs. */
  readonly accounts: readonly Account[];
  /** Sorted by id. */
  readonly budgets: readonly Budget[];
  /** Runs a turn if there is something left for it, and settles its usage. */
  turn(planned: PlannedTurn, work: TurnWork): Promise<RunInput | undefined>;
  /** Stops waiting: a turn that has not begun is dropped, and `turn` returns undefined. */
  quit(): void;
  /** Counts the usage of a summary, as part of the turn that needs it. */
  note(usage: Usage): void;
  /** Counts usage from before an interruption, which budgets have counted already. */
  charge(usage: Usage): void;
  /** Extends the limit that the run has reached. */
  extend(): void;
}

/** Runs the turn. */
export interface TurnWork {
  ask(): Promise<RunInput>;
  /** The part of it that was streamed. */
  streamed(): Message | undefined;
}

/** Dependencies of a ledger. */
export interface LedgerOptions {
  readonly limits: Pick<RunLimits, 'tokens' | 'cost'>;
  readonly budgets: readonly Budget[];
  readonly outer: Ledger | undefined;
  readonly models: readonly Model[];
  readonly signal: AbortSignal;
}

/** Maximum time in milliseconds that an answer waits for a budget to settle. */
const settleMs = 10_000;

/**
 * Creates the ledger of a run.
 *
 * @throws `invalid_limit` if the cost is limited and the price of a model is unknown; `invalid_option` if two budgets have one id
 */
export function createLedger({ limits, budgets: own, outer, models, signal }: LedgerOptions): Ledger {
  const { tokens, cost } = limits;
  const isLimited = tokens !== undefined || cost !== undefined;
  const account = createAccount({ ...(tokens !== undefined && { tokens }), ...(cost !== undefined && { cost }) });
  const accounts = [...(isLimited ? [account] : []), ...(outer?.accounts ?? [])];
  const budgets = [...new Set(own), ...(outer?.budgets ?? [])].sort((a, b) => (a.id < b.id ? -1 : 1));
  const quitting = new AbortController();
  const waits = AbortSignal.any([signal, quitting.signal]);
  let noted = nothing;
  checkIds(budgets);
  const bounds = [...accounts, ...budgets];
  let isUnbilled = false; // the vendor did not report the cost of the last turn
  checkPrices(bounds, models);

  /** Reserves the amount everywhere, or nowhere. */
  async function reserve(amount: Spending, isLast: boolean): Promise<readonly Reservation[] | RunLimit | undefined> {
    const held: Reservation[] = [];
    const giveBack = (): Promise<void> => settleAll(held, nothing);
    try {
      for (const each of isLast ? budgets : bounds) {
        const reservation = await askFor(each, amount);
        if (reservation === undefined)
          return (await giveBack(), 'id' in each ? 'budget' : (each.reached() ?? 'tokens'));
        held.push(reservation);
      }
    } catch (error) {
      await giveBack();
      if (quitting.signal.aborted && !signal.aborted) return undefined;
      throw error;
    }
    return held;
  }

  /** A reservation that arrives after the wait has ended is released. */
  async function askFor(each: Pick<Budget, 'reserve'>, amount: Spending): Promise<Reservation | undefined> {
    waits.throwIfAborted();
    const work = each.reserve(amount, { signal: waits });
    try {
      return await bounded(work, waits);
    } catch (error) {
      work.then((late) => late?.settle(nothing)).catch(() => undefined);
      throw error;
    }
  }

  /** A reservation that cannot be settled in time counts as reserved. */
  async function settleAll(held: readonly Reservation[], spent: Spending): Promise<void> {
    if (held.length === 0) return;
    const settled = Promise.allSettled(held.map(async (each) => each.settle(spent)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, settleMs)));
    await bounded(Promise.race([settled, over]), signal).catch(() => undefined);
    clearTimeout(timer);
  }

  return {
    accounts,
    budgets,
    async turn(planned, { ask, streamed }) {
      if (isUnbilled) throw unbilled(planned.model);
      const estimated = estimateTurn(planned);
      const held = await reserve(spendingOf(estimated), planned.isLast);
      if (held === undefined) return undefined;
      if (typeof held === 'string') return { type: 'limit-reached', limit: held };
      let spent = nothing;
      try {
        const input = await ask();
        isUnbilled = isCostLimited(bounds) && lacksCost(input, planned.model);
        spent = spentBy(input, { estimated, model: planned.model, message: streamed() });
        return input;
      } finally {
        const total = add(spent, noted);
        noted = nothing;
        if (planned.isLast) for (const each of accounts) each.charge(total);
        await settleAll(held, total);
      }
    },
    quit: () => quitting.abort(new UtensilError('aborted', 'The run is stopped.')),
    note: (usage) => void (noted = add(noted, spendingOf(usage))),
    charge(usage) {
      for (const each of accounts) each.charge(spendingOf(usage));
    },
    extend() {
      for (const each of accounts) if (each.reached() !== undefined) each.extend();
    },
  };
}

/** Budgets with the same id have no defined order: two runs that reserve them in different orders would deadlock. */
function checkIds(budgets: readonly Budget[]): void {
  const twice = budgets.find(({ id }, index) => id === budgets[index + 1]?.id);
  if (twice === undefined) return;
  const problem = `Two budgets have the id '${twice.id}'. Give each its own, such as '${twice.id}-day' and '${twice.id}-month'.`;
  throw new UtensilError('invalid_option', problem);
}

function isCostLimited(bounds: readonly Pick<Budget, 'limits'>[]): boolean {
  return bounds.some(({ limits }) => (limits.cost ?? Infinity) < Infinity);
}

function lacksCost(input: RunInput, { price }: ModelInfo): boolean {
  if (input.type !== 'turn' || price !== undefined) return false;
  const { inputTokens, outputTokens, cost } = input.usage;
  return cost === undefined && inputTokens + outputTokens > 0;
}

function unbilled({ id }: ModelInfo): UtensilError {
  const problem = `The cost of this run is limited, and ${id}, which was said to report what it costs, did not: the limit would never be reached. Give the model a \`price\`, or limit \`tokens\`.`;
  return new UtensilError('invalid_limit', problem);
}

function checkPrices(bounds: readonly Pick<Budget, 'limits'>[], models: readonly Model[]): void {
  const free = models.find(({ info }) => info.price === undefined && info.reportsCost !== true);
  if (!isCostLimited(bounds) || free === undefined) return;
  const problem = `The cost of this run is limited, and the price of ${free.info.id} is not known, so the limit would never be reached. Give its provider \`price\`, or \`info: modelData\` of @utensil/model-data, or limit \`tokens\`.`;
  throw new UtensilError('invalid_limit', problem);
}
