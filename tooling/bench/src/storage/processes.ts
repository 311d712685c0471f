import { readdirSync, readFileSync } from 'node:fs';
import { cpuMsOf } from '../runner/load.ts';

/** A process and its running descendants; only the process if the system does not report them. */
export function treeOf(pid: number): readonly number[] {
  const tree = [pid];
  const parents = parentsOfAll();
  for (const each of tree) tree.push(...parents.filter(([, parent]) => parent === each).map(([child]) => child));
  return tree;
}

function parentsOfAll(): readonly (readonly [child: number, parent: number])[] {
  const pids = namesIn('/proc').map(Number).filter(Number.isInteger);
  return pids.map((pid) => [pid, Number(/\) \S (\d+)/.exec(textOf(`/proc/${pid}/stat`))?.[1] ?? NaN)]);
}

/** CPU milliseconds of processes so far. */
export function cpuMsOfAll(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}

/** Bytes that processes have written to the system; NaN if it does not report them. */
export function writtenBy(pids: readonly number[]): number {
  const counts = pids.map((pid) => /^wchar: (\d+)$/m.exec(textOf(`/proc/${pid}/io`))?.[1]);
  if (counts.every((count) => count === undefined)) return NaN;
  return counts.reduce((sum, count) => sum + Number(count ?? 0), 0);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // it has exited
  }
}
