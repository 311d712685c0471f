import { warnInDevelopment } from '../../base/development.ts';
import type { RunContext } from '../run-context.ts';

/** By run: what has been reported. */
const told = new WeakMap<object, Set<string>>();

/** Records a report, and warns in development. Returns false if the run has already made one of its kind. */
export function firstReport({ calls }: Pick<RunContext, 'calls'>, kind: string, text: string): boolean {
  const known = told.get(calls) ?? new Set();
  told.set(calls, known);
  if (known.has(kind)) return false;
  known.add(kind);
  warnInDevelopment(text);
  return true;
}
