import type { StorageDriver } from '../files/storage/driver.ts';
import { joinPath, nameOf } from '../files/paths.ts';
import { listAll } from '../files/reading.ts';
import { maxNumber, numberId } from '../files/record-key.ts';
import { tree } from './content.ts';

/** Cache of the last numbers of logs. */
export interface LogNumbers {
  /** The last number of a log before an append: cached if the previous append here succeeded, otherwise looked up. */
  last(directory: string): Promise<number>;
  /** Caches the last number of a log after an append. */
  keep(directory: string, last: number): void;
  /** Clears the cache. */
  forget(): void;
}

/** Maximum number of cached logs. */
const maxKnown = 100;

/** Creates a cache of the last numbers of logs that a store appends to. */
export function createLogNumbers(driver: StorageDriver): LogNumbers {
  const known = new Map<string, { readonly last: number; readonly isCertain: boolean }>();
  return {
    async last(directory) {
      const before = known.get(directory) ?? { last: 0, isCertain: false };
      const last = before.isCertain ? before.last : await lastNumber(driver, directory, before.last);
      known.set(directory, { last, isCertain: false }); // looked up again unless the commit succeeds
      return last;
    },
    keep(directory, last) {
      if (known.size >= maxKnown) known.clear();
      known.set(directory, { last, isCertain: true });
    },
    forget: () => known.clear(),
  };
}

/**
 * Finds the last number of a log by galloping and binary search, with about 2 × log₂(records) short listings. "Is there
 * a number after n?" is true below the last number and false from it on, so gaps do no harm. Concurrent appends can
 * only make the result too small; the commit then finds the number taken.
 */
export async function lastNumber(driver: StorageDriver, directory: string, from = 0): Promise<number> {
  let [probe, last, end] = [from, from, Infinity];
  for (let step = lookSize; last < end; step *= 2) {
    const { numbers, isRest } = await numbersAfter(driver, directory, probe);
    const highest = numbers.at(-1);
    if (highest === undefined) end = probe;
    else if (isRest) return highest;
    else last = highest;
    probe = end === Infinity ? Math.min(last + step, maxNumber) : Math.floor((last + end) / 2);
  }
  return last;
}

/** Entries per listing, so that a short log takes one call. */
const lookSize = 64;

interface NumbersAfter {
  /** In ascending order; empty only if there are none. */
  readonly numbers: readonly number[];
  /** True if these are all the numbers after it. */
  readonly isRest: boolean;
}

/** Numbers of a log after a given one. A record that was set aside keeps its number. */
async function numbersAfter(driver: StorageDriver, directory: string, number: number): Promise<NumbersAfter> {
  const after = joinPath(directory, `${numberId(number)}.json`);
  const numbers: number[] = [];
  let seen = 0;
  const query = { tree, path: directory, depth: 1, after, limit: lookSize } as const;
  for await (const { path, kind } of listAll(driver, query)) {
    const name = nameOf(path);
    if (name > beyondNumbers) return { numbers, isRest: true };
    const [, id] = /^(\d{12})\./.exec(name) ?? [];
    if (id !== undefined && kind === 'file') numbers.push(Number(id));
    if (++seen >= lookSize && numbers.length > 0) return { numbers, isRest: false };
  }
  return { numbers, isRest: true };
}

const beyondNumbers = ':'; // the character after 9
