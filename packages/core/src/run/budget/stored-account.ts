import { UtensilError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { isObject } from '../../base/json.ts';
import type { RecordKey } from '../../files/record-key.ts';
import { add, nothing } from './budget.ts';
import type { Balance, Spending } from './budget.ts';

/** Stored account of a period. */
export interface StoredAccount {
  readonly version: 1;
  /** Id of the record: a record that was removed and recreated has another. */
  readonly id?: string;
  readonly spent: Spending;
  /** Reservations by name. After `until`, in milliseconds since 1970, one counts as spent. */
  readonly reserved: Readonly<Record<string, Held>>;
}

type Held = Spending & { readonly until: number };

/**
 * Parses the account of a record; a new one if there is none.
 *
 * @throws `record_corrupt`
 */
export function readAccount(key: RecordKey, value: Json | undefined): StoredAccount {
  if (value === undefined) return { version: 1, spent: nothing, reserved: {} };
  if (isAccount(value)) return value;
  const problem = `The record ${key.join('/')} is not the account of a budget, so nothing is spent from it. Move it away, or remove it, to start over.`;
  throw new UtensilError('record_corrupt', problem);
}

/** The account with expired reservations moved to spent. */
export function withoutExpired(account: StoredAccount, now: number): StoredAccount {
  const entries = Object.entries(account.reserved);
  const expired = entries.filter(([, { until }]) => until <= now);
  if (expired.length === 0) return account;
  const spent = expired.reduce((sum, [, amount]) => add(sum, amount), account.spent);
  return { ...account, spent, reserved: Object.fromEntries(entries.filter(([, { until }]) => until > now)) };
}

/** Totals of spent and reserved amounts. */
export function balanceOf({ spent, reserved }: StoredAccount): Balance {
  return { spent, reserved: Object.values(reserved).reduce(add, nothing) };
}

function isAccount(value: unknown): value is StoredAccount {
  if (!isObject(value) || value['version'] !== 1 || !isSpending(value['spent'])) return false;
  const { reserved } = value;
  return (
    isObject(reserved) &&
    Object.values(reserved).every((each) => isSpending(each) && isObject(each) && isAmount(each['until']))
  );
}

function isSpending(value: unknown): boolean {
  return isObject(value) && isAmount(value['tokens']) && isAmount(value['cost']);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
