import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scenario, type Variant, variants } from './catalog.ts';
import { measureInChromium } from './chromium.ts';
import type { Keeper } from './keeper.ts';
import { keepers } from './keepers.ts';
import { perform } from './scenarios.ts';

const amounts = { small: 110, many: 20, largeBytes: 100_000 };
const few = { ...amounts, small: 12 };
const meter = () => ({ cpuMs: 0, written: 0 });
const works: Readonly<Record<Scenario, readonly string[]>> = {
  small: ['new', 'again', 'grouped', 'read'],
  many: ['list', 'search'],
  large: ['write-large', 'read-large'],
};

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bench-storage-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('does all of the work', () => {
  const inNode = (['memory', 'filesystem'] as const).flatMap((backend) =>
    Object.entries<Variant>(variants[backend]).flatMap(([name, { scenarios }]) =>
      scenarios.map((scenario) => [backend, name, scenario] as const),
    ),
  );

  it.each(inNode)('%s, %s: %s', async (backend, name, scenario) => {
    const keeper = (await keepers[backend][name]?.(directory)) as Keeper;
    const timings = await perform(scenario, keeper, { amounts: few, meter });
    await keeper.close();
    expect(timings.map(({ work }) => work)).toEqual(works[scenario]);
  });

  it.each(['versions', 'raw', 'zenfs'])('indexeddb, %s', async (variant) => {
    const job = { backend: 'indexeddb', variant, scenario: 'small', amounts: few, warmUp: few } as const;
    const { timings, processCpuMs } = await measureInChromium(job, directory);
    expect(timings.map(({ work }) => work)).toEqual(works.small);
    expect(timings.every(({ given, written }) => written >= given)).toBe(true);
    expect(processCpuMs).toBeGreaterThan(0);
  });
});

describe('finds out who does not', () => {
  const defects: readonly [string, Scenario, (sound: Keeper) => Partial<Keeper>][] = [
    ['a write that is lost', 'small', (sound) => ({ write: (files) => sound.write(files.slice(0, 99)) })],
    ['an old content', 'small', () => ({ read: async () => new Uint8Array(1024) })],
    ['a name that is not listed', 'many', (sound) => ({ list: async (path) => (await sound.list(path)).slice(1) })],
    [
      'a file that is not found',
      'many',
      (sound) => ({ search: async (...its) => (await sound.search(...its)).slice(1) }),
    ],
    ['half of a file', 'large', (sound) => ({ read: async (path) => (await sound.read(path)).subarray(50_000) })],
  ];

  it.each(defects)('%s', async (_, scenario, defect) => {
    const sound = (await keepers.memory['utensil']?.(directory)) as Keeper;
    const keeper = { ...sound, ...defect(sound) };
    await expect(perform(scenario, keeper, { amounts, meter })).rejects.toThrow(
      /not what was written|instead of|no such file/,
    );
  });
});
