import { platform } from '../../base/environment.ts';
import { UtensilError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { createQueue } from '../../files/queue.ts';
import type { RecordKey } from '../../files/record-key.ts';
import type { RecordStore } from '../../records/records.ts';
import { platformClock } from '../../thread/clock.ts';
import type { Clock } from '../../thread/clock.ts';
import { add, standingOf, subtract, units } from './budget.ts';
import type { Balance, Budget, Reservation, Spending } from './budget.ts';
import { balanceOf, readAccount, withoutExpired } from './stored-account.ts';
import type { StoredAccount } from './stored-account.ts';

/** Options of a stored budget. */
export interface StoredBudgetOptions {
  /** Owner, such as `user-7`. Budgets with the same id and store are one, in any process. */
  readonly id: string;
  readonly limits: Partial<Spending>;
  /**
   * Period after which it starts again, in UTC; or a function that names the period of a time in milliseconds since
   * 1970. Default: `day`.
   */
  readonly per?: 'day' | 'month' | 'ever' | ((time: number) => string);
  /** Milliseconds after which an unsettled reservation counts as spent. Default: 10 minutes. */
  readonly holdMs?: number;
  readonly clock?: Clock;
}

/** A budget stored in the records of an app. */
export interface StoredBudget extends Budget {
  /** Amounts spent and reserved in the current period. */
  balance(): Promise<Balance>;
}

/** Location of a reservation: the record, the id of its account, and the name. */
interface Place {
  readonly key: RecordKey;
  readonly name: string;
  readonly id: string;
}

/**
 * Polling interval for a fully reserved budget, in milliseconds: not every storage reports changes by other processes.
 */
const lookMs = 1_000;

/** Maximum number of attempts to store a change while others do. */
const mostTries = 100;

/**
 * Creates a budget for all runs of a user, in any process: the account of each period is one record. A turn that its
 * process never settled counts as reserved.
 *
 * @throws `invalid_limit`, and `record_corrupt` on use if the record is damaged: then nothing is spent
 *
 * @example
 * ```ts
 * import { createRecords, run } from '@utensil/core';
 * import { storedBudget } from '@utensil/core/budget';
 * import { scriptedModel } from '@utensil/core/testing';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 *
 * const records = createRecords(memoryStorage());
 * const budget = storedBudget(records, { id: 'user-7', limits: { tokens: 1_000_000 }, per: 'day' });
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * await run({ model: scriptedModel([{ text: 'Hello.' }]), toolset, messages: 'Hi', budget }).result;
 * console.log((await budget.balance()).spent.tokens > 0); // true
 * ```
 */
export function storedBudget(records: RecordStore, options: StoredBudgetOptions): StoredBudget {
  const { id, limits, per = 'day', holdMs = 600_000, clock = platformClock } = options;
  checkAmounts(limits);
  const inOrder = createQueue(); // serializes changes in this process
  let reservations = 0;
  const holder = platform().id();

  function keyNow(): RecordKey {
    return ['budgets', id, periodOf(per, clock.now())];
  }

  /** Applies a change to the current account; `undefined` leaves it unchanged. */
  async function change(key: RecordKey, by: (account: StoredAccount) => StoredAccount | undefined): Promise<void> {
    await inOrder([key.join('/')], async () => {
      for (let tried = 0; ; tried++) {
        const record = await records.get(key);
        const changed = by(withoutExpired(readAccount(key, record?.value), clock.now()));
        if (changed === undefined) return;
        const result = await records.commit([{ type: 'put', key, value: changed as unknown as Json }], {
          expect: [{ key, etag: record?.etag ?? null }],
        });
        if (result.ok) return;
        if (tried >= mostTries) throw busy(id);
        await pause(Math.random() * Math.min(2 ** tried, 50)); // others stored theirs
      }
    });
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => void clock.after(ms, resolve));
  }

  /** Waits until the account has changed, or a reservation may have expired. */
  function changeOf(key: RecordKey, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cleanups = [records.watch(key, () => settle(resolve)), clock.after(lookMs, () => settle(resolve))];
      const abort = (): void => settle(() => reject(signal.reason as Error));
      const settle = (then: () => void): void => {
        for (const cleanup of cleanups) cleanup();
        signal.removeEventListener('abort', abort);
        then();
      };
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  /** Settles once, however often it is called. */
  function reservation({ key, name, id }: Place, amount: Spending): Reservation {
    let settling: Promise<void> | undefined;
    return {
      settle: (spent) =>
        (settling ??= change(key, (account) => settled(account, name, { id, amount, spent })).catch(
          (error: unknown) => {
            settling = undefined;
            throw error;
          },
        )),
    };
  }

  async function reserve(amount: Spending, signal: AbortSignal): Promise<Reservation | undefined> {
    const name = `${holder}-${++reservations}`;
    for (;;) {
      signal.throwIfAborted();
      const key = keyNow();
      let standing = 'full' as ReturnType<typeof standingOf>;
      let id = '';
      await change(key, (account) => {
        standing = standingOf(limits, balanceOf(account));
        if (standing !== 'open') return undefined;
        const until = clock.now() + holdMs;
        id = account.id ?? platform().id();
        return { ...account, id, reserved: { ...account.reserved, [name]: { ...amount, until } } };
      });
      if (standing === 'exhausted') return undefined;
      if (standing === 'open') return reservation({ key, name, id }, amount);
      await changeOf(key, signal);
    }
  }

  return {
    id,
    limits,
    reserve: (amount, { signal }) => reserve(amount, signal),
    async balance() {
      const key = keyNow();
      return balanceOf(withoutExpired(readAccount(key, (await records.get(key))?.value), clock.now()));
    },
  };
}

/**
 * An expired reservation is part of the spent amount, so only the difference is added. If the account was removed and
 * recreated, it is not.
 */
function settled(
  account: StoredAccount,
  name: string,
  { id, amount, spent }: { readonly id: string; readonly amount: Spending; readonly spent: Spending },
): StoredAccount {
  const { [name]: held, ...reserved } = account.reserved;
  const more = held === undefined && account.id === id ? subtract(spent, amount) : spent;
  return { ...account, reserved, spent: add(account.spent, more) };
}

function periodOf(per: NonNullable<StoredBudgetOptions['per']>, time: number): string {
  if (typeof per === 'function') return per(time);
  return per === 'ever' ? per : new Date(time).toISOString().slice(0, per === 'day' ? 10 : 7);
}

function checkAmounts(limits: Partial<Spending>): void {
  for (const unit of units) {
    const limit = limits[unit] ?? 0;
    if (typeof limit === 'number' && limit >= 0) continue;
    throw new UtensilError(
      'invalid_limit',
      `\`limits.${unit}\` of a budget must be a number from 0; got ${String(limit)}.`,
    );
  }
}

function busy(id: string): UtensilError {
  const problem = `The budget '${id}' is changed by others all the time, so nothing could be set aside. Try again.`;
  return new UtensilError('ECONFLICT', problem, { retryable: true });
}
