import type { Scenario, WorkName } from './catalog.ts';
import type { Content, Keeper } from './keeper.ts';
import {
  type Amounts,
  groupSize,
  hasNeedle,
  inGroups,
  largeFile,
  manyDirectory,
  manyFile,
  needle,
  smallDirectories,
  smallFile,
} from './work.ts';

/** Results of one part of the work. */
export interface Timing {
  readonly work: WorkName;
  readonly operations: number;
  readonly ms: number;
  /** Extrapolated from the fastest tenth of the laps, which others on the machine disturb least. */
  readonly quietMs: number;
  /** CPU of all processes of this measurement together. */
  readonly cpuMs: number;
  /** Bytes of content to write. */
  readonly given: number;
  /** Bytes written for it; NaN if nobody counts them. */
  readonly written: number;
}

/** Usage of the processes of this measurement so far. */
export interface Reading {
  readonly cpuMs: number;
  /** Bytes written by them; NaN if nobody counts them. */
  readonly written: number;
}

export type Meter = () => Reading | Promise<Reading>;

type Perform = (keeper: Keeper, amounts: Amounts, timed: Timed) => Promise<void>;
type Timed = <Result>(part: Part<Result>) => Promise<readonly Result[]>;

interface Part<Result> {
  readonly work: WorkName;
  readonly operations: number;
  readonly given?: readonly Content[];
  /** Number of operations per lap. */
  readonly laps: readonly (() => Promise<Result>)[];
}

/** Runs a scenario, verifies its result, and returns the measurements. */
export async function perform(
  scenario: Scenario,
  keeper: Keeper,
  { amounts, meter }: { readonly amounts: Amounts; readonly meter: Meter },
): Promise<readonly Timing[]> {
  const timings: Timing[] = [];
  const timed: Timed = async ({ work, operations, given = [], laps }) => {
    const results = [];
    const times: number[] = [];
    const before = await meter();
    const writtenBefore = keeper.written?.();
    for (const lap of laps) {
      const started = performance.now();
      results.push(await lap());
      times.push(performance.now() - started);
    }
    const after = await meter();
    timings.push({
      work,
      operations,
      ms: times.reduce((sum, time) => sum + time, 0),
      quietMs: fastestTenth(times) * times.length,
      cpuMs: after.cpuMs - before.cpuMs,
      given: given.reduce((sum, { bytes }) => sum + bytes.length, 0),
      written: (keeper.written?.() ?? after.written) - (writtenBefore ?? before.written),
    });
    return results;
  };
  await scenarios[scenario](keeper, amounts, timed);
  return timings;
}

function fastestTenth(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 10)] ?? NaN;
}

const scenarios: Readonly<Record<Scenario, Perform>> = {
  async small(keeper, { small }, timed) {
    await keeper.makeDirectories(smallDirectories);
    const [first, second, grouped] = [
      { part: 'single', edition: 1 },
      { part: 'single', edition: 2 },
      { part: 'grouped', edition: 1 },
    ].map((which) => Array.from({ length: small }, (_, index) => smallFile(index, which))) as [
      Content[],
      Content[],
      Content[],
    ];
    const oneByOne = async (group: readonly Content[]) => {
      for (const file of group) await keeper.write([file]);
    };
    const laps = (files: readonly Content[], lap: (group: readonly Content[]) => Promise<void>) =>
      inGroups(files, groupSize).map((group) => () => lap(group));
    await timed({ work: 'new', operations: small, given: first, laps: laps(first, oneByOne) });
    await timed({ work: 'again', operations: small, given: second, laps: laps(second, oneByOne) });
    await timed({
      work: 'grouped',
      operations: small,
      given: grouped,
      laps: laps(grouped, (group) => keeper.write(group)),
    });
    const contents: Uint8Array[] = [];
    const read = async (group: readonly Content[]) => {
      for (const { path } of group) contents.push(await keeper.read(path));
    };
    await timed({ work: 'read', operations: small, laps: laps(second, read) });
    for (const [index, { path, bytes }] of second.entries()) assertEqual(contents[index], bytes, path);
    for (const { path, bytes } of grouped) assertEqual(await keeper.read(path), bytes, path);
    await assertListed(keeper, [...first, ...grouped]);
  },

  async many(keeper, { many }, timed) {
    await keeper.makeDirectories([manyDirectory]);
    const files = Array.from({ length: many }, (_, index) => manyFile(index));
    for (const group of inGroups(files, groupSize)) await keeper.write(group);
    const listings = await timed({ work: 'list', operations: 3, laps: thrice(() => keeper.list(manyDirectory)) });
    for (const names of listings) assertSame(names, files.map(nameOf));
    const searches = await timed({
      work: 'search',
      operations: 3,
      laps: thrice(() => keeper.search(manyDirectory, needle)),
    });
    const hits = files.filter((_, index) => hasNeedle(index)).map(({ path }) => path);
    for (const found of searches) assertSame(found, hits);
  },

  async large(keeper, { largeBytes }, timed) {
    const file = largeFile(largeBytes);
    await timed({ work: 'write-large', operations: 1, given: [file], laps: [() => keeper.write([file])] });
    const copies = await timed({ work: 'read-large', operations: 3, laps: thrice(() => keeper.read(file.path)) });
    for (const bytes of copies) assertEqual(bytes, file.bytes, file.path);
  },
};

function thrice<Result>(lap: () => Promise<Result>): readonly (() => Promise<Result>)[] {
  return [lap, lap, lap];
}

function nameOf({ path }: Content): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

async function assertListed(keeper: Keeper, files: readonly Content[]): Promise<void> {
  for (const directory of smallDirectories) {
    const inside = files.filter(({ path }) => path.startsWith(`${directory}/`));
    assertSame(await keeper.list(directory), inside.map(nameOf));
  }
}

function assertSame(actual: readonly string[], expected: readonly string[]): void {
  const missing = new Set(expected);
  for (const each of actual) missing.delete(each);
  const [first] = missing;
  if (actual.length !== expected.length || first !== undefined)
    throw new Error(`There are ${actual.length} instead of ${expected.length}, without ${first ?? 'a missing one'}.`);
}

function assertEqual(actual: Uint8Array | undefined, expected: Uint8Array, path: string): void {
  let index = 0;
  while (index < expected.length && actual?.[index] === expected[index]) index++;
  if (actual?.length !== expected.length || index < expected.length)
    throw new Error(`${path} is not what was written: ${actual?.length ?? 'no'} bytes, which differ from ${index} on.`);
}
