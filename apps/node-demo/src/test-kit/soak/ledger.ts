// Effects that really took place, recorded outside the project, so that a killed process cannot misreport them.
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Notes an effect of a call. */
export function noteEffect(ledger: string, label: string): void {
  const file = openSync(ledger, 'a');
  writeSync(file, `${label}\n`);
  fsyncSync(file);
  closeSync(file);
}

/** Number of times that each effect happened. */
export function readLedger(ledger: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const label of linesOf(ledger)) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Lines of a file that processes append to. */
export function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
