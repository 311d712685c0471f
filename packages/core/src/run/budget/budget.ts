/** What a budget counts. */
export interface Spending {
  /** Tokens of input and output together. */
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/**
 * An allowance that runs share: of a user for a day, of a team, of one task. A run sets an amount aside before each turn of
 * its model, and settles it afterwards.
 */
export interface Budget {
  /**
   * A run that draws on several budgets asks them in the order of their ids, so that no two runs wait for each other; two of one
   * id are refused (`invalid_option`).
   */
  readonly id: string;
  /** What is limited. If `cost` is, models must have a price or report their cost. */
  readonly limits: Partial<Spending>;
  /**
   * Sets an amount aside. Waits while others have set aside all that is left. Resolves with undefined if all of it is spent;
   * rejects with the reason of the signal.
   */
  reserve(amount: Spending, options: { readonly signal: AbortSignal }): Promise<Reservation | undefined>;
}

/** An amount that is set aside. If it is never settled, it counts as spent. */
export interface Reservation {
  /** Puts what was really spent in its place, more or less than that. */
  settle(spent: Spending): Promise<void>;
}

/** How much is left of a budget: `full` while others may give back what they have set aside. */
export type Standing = 'open' | 'full' | 'exhausted';

/** What has been spent, and what is set aside. */
export interface Balance {
  readonly spent: Spending;
  readonly reserved: Spending;
}

/** Nothing at all. */
export const nothing: Spending = { tokens: 0, cost: 0 };

/** What may be limited, in the order in which it is looked at. */
export const units = ['tokens', 'cost'] as const;

/** The sum of two amounts. */
export function add(a: Spending, b: Spending): Spending {
  return { tokens: a.tokens + b.tokens, cost: a.cost + b.cost };
}

/** What is left of an amount without another. */
export function subtract(a: Spending, b: Spending): Spending {
  return { tokens: a.tokens - b.tokens, cost: a.cost - b.cost };
}

/** The unit of which all is spent, if there is one. */
export function exhaustedUnit(
  limits: Partial<Spending>,
  { spent }: Pick<Balance, 'spent'>,
): keyof Spending | undefined {
  return units.find((unit) => spent[unit] >= (limits[unit] ?? Infinity));
}

/** Whether a turn may begin: while something is left, even less than it sets aside. */
export function standingOf(limits: Partial<Spending>, balance: Balance): Standing {
  if (exhaustedUnit(limits, balance) !== undefined) return 'exhausted';
  const taken = add(balance.spent, balance.reserved);
  return exhaustedUnit(limits, { spent: taken }) === undefined ? 'open' : 'full';
}
