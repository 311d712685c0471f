/** Amounts that a budget counts. */
export interface Spending {
  /** Input and output tokens together. */
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/**
 * An allowance shared by runs: of a user per day, of a team, or of one task. A run reserves an amount before each turn
 * of its model, and settles it afterwards.
 */
export interface Budget {
  /**
   * A run with several budgets reserves in the order of their ids, which avoids deadlocks; two budgets with the same id
   * are refused (`invalid_option`).
   */
  readonly id: string;
  /** The limited units. If `cost` is limited, models must have a price or report their cost. */
  readonly limits: Partial<Spending>;
  /**
   * Reserves an amount. Waits while the rest is reserved by others. Resolves to undefined if everything is spent;
   * rejects with the reason of the signal.
   */
  reserve(amount: Spending, options: { readonly signal: AbortSignal }): Promise<Reservation | undefined>;
}

/** A reserved amount. Counts as spent if it is never settled. */
export interface Reservation {
  /** Replaces the reservation by the actual usage, which may be more or less. */
  settle(spent: Spending): Promise<void>;
}

/** Remaining budget. `full`: nothing is left unless reservations of others are released. */
export type Standing = 'open' | 'full' | 'exhausted';

/** Amounts spent and reserved. */
export interface Balance {
  readonly spent: Spending;
  readonly reserved: Spending;
}

/** Zero. */
export const nothing: Spending = { tokens: 0, cost: 0 };

/** Units that can be limited, in the order in which they are checked. */
export const units = ['tokens', 'cost'] as const;

/** The sum of two amounts. */
export function add(a: Spending, b: Spending): Spending {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

/** The rest of an amount after subtraction. */
export function subtract(a: Spending, b: Spending): Spending {
  return { tokens: a.tokens - b.tokens, cost: a.cost - b.cost };
}

/** The exhausted unit, if any. */
export function exhaustedUnit(
  limits: Partial<Spending>,
  { spent }: Pick<Balance, 'spent'>,
): keyof Spending | undefined {
  return units.find((unit) => spent[unit] >= (limits[unit] ?? Infinity));
}

/** Standing of a budget. A turn may begin while anything is left, even less than it reserves. */
export function standingOf(limits: Partial<Spending>, balance: Balance): Standing {
  if (exhaustedUnit(limits, balance) !== undefined) return 'exhausted';
  const taken = add(balance.spent, balance.reserved);
  return exhaustedUnit(limits, { spent: taken }) === undefined ? 'open' : 'full';
}
