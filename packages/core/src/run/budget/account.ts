import { add, exhaustedUnit, nothing, standingOf, subtract } from './budget.ts';
import type { Budget, Spending } from './budget.ts';

/** Limits of a run on tokens and cost, shared with its inner runs. */
export interface Account extends Omit<Budget, 'id'> {
  /** The exhausted limit, if any. */
  reached(): keyof Spending | undefined;
  /** Counts usage. */
  charge(spent: Spending): void;
  /** Extends all limits by their original amount. */
  extend(): void;
}

/** Creates an account in memory. */
export function createAccount(limits: Partial<Spending>): Account {
  let spent = nothing; // since the last extension
  let reserved = nothing;
  const waiting = new Set<() => void>();

  function changed(): void {
    for (const wake of [...waiting]) wake();
  }

  /** Waits for the next change. */
  function change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        waiting.delete(wake);
        signal.removeEventListener('abort', abort);
      };
      const wake = (): void => (end(), resolve());
      const abort = (): void => (end(), reject(signal.reason as Error));
      waiting.add(wake);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  return {
    limits,
    async reserve(amount, { signal }) {
      let standing = standingOf(limits, { spent, reserved });
      while (standing === 'full') {
        await change(signal);
        standing = standingOf(limits, { spent, reserved });
      }
      if (standing === 'exhausted') return undefined;
      reserved = add(reserved, amount);
      return {
        async settle(really) {
          reserved = subtract(reserved, amount);
          spent = add(spent, really);
          changed();
        },
      };
    },
    reached: () => exhaustedUnit(limits, { spent }),
    charge(already) {
      spent = add(spent, already);
      changed();
    },
    extend() {
      spent = nothing;
      changed();
    },
  };
}
