import { loadLedger } from '../later-code.ts';
import type { RunContext } from '../run-context.ts';
import type { RunOptions } from '../run.ts';
import type { Ledger } from './ledger.ts';

/** The ledger of a run; undefined if nothing is limited. */
export async function ledgerOf(
  { limits = {}, budget: own = [] }: Pick<RunOptions<unknown>, 'limits' | 'budget'>,
  { model, fallback, session, path, signal }: Pick<RunContext, 'model' | 'fallback' | 'session' | 'path' | 'signal'>,
  outer: Ledger | undefined,
): Promise<Ledger | undefined> {
  const budgets = path.length > 0 ? [] : [session?.budget ?? own].flat(); // inner runs use it through `outer`
  const isLimited = limits.tokens !== undefined || limits.cost !== undefined || budgets.length > 0;
  if (!isLimited && outer === undefined) return undefined;
  const { createLedger } = await loadLedger();
  return createLedger({ limits, budgets, outer, models: [model, ...fallback], signal });
}
