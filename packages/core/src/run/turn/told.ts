import { warnInDevelopment } from '../../base/development.ts';
import type { RunContext } from '../run-context.ts';

/** By run: what has been reported. */
const told = new WeakMap<object, Set<string>>();

/** True for the first report of its kind in a run, which is then also written to the console in development. */
export function isNews({ calls }: Pick<RunContext, 'calls'>, kind: string, text: string): boolean {
  const known = told.get(calls) ?? new Set();
  told.set(calls, known);
  if (known.has(kind)) return false;
  known.add(kind);
  warnInDevelopment(text);
  return true;
}
