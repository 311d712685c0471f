import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryStorage } from '@utensil/storage-memory';
import { concurrent } from './concurrent.ts';
import { growth } from './growth.ts';
import { countedDirectory, journal } from './journal.ts';
import { utensilLoop } from './loop.ts';
import type { Measure } from './measurement.ts';
import { reads } from './reads.ts';
import { toolStart, utensilStart } from './tool-start.ts';
import { transcript } from './transcript.ts';

/** Measurements to compare. */
export interface Part {
  readonly title: string;
  readonly target: string;
  /** By title. Each is loaded in its own process. */
  readonly variants: Readonly<Record<string, () => Promise<Measure>>>;
}

const memory = (): ReturnType<typeof memoryStorage> => memoryStorage();
const inDirectory = (directory: string): ReturnType<typeof filesystemStorage> => filesystemStorage(directory);
const throughPowerLoss = (directory: string): ReturnType<typeof filesystemStorage> =>
  filesystemStorage(directory, { durability: 'power' });

const peers = () => import('./peers.ts');

/** In tokens: too small for all thirty steps. */
const window = 18_000;

/** By name, as for `--part`. */
export const parts: Readonly<Record<string, Part>> = {
  'tool-start': {
    title: 'From the last byte of a call’s arguments to the start of its tool',
    target: '≤ 1 ms',
    variants: {
      'Utensil, a read, no thread': async () => utensilStart('read'),
      'Utensil, a read, thread in memory': async () => utensilStart('read', memory),
      'Utensil, a read, thread in a directory': async () => utensilStart('read', inDirectory),
      'Utensil, a write, no thread': async () => utensilStart('write'),
      'Utensil, a write, thread in memory': async () => utensilStart('write', memory),
      'Utensil, a write, thread in a directory': async () => utensilStart('write', inDirectory),
      'ai streamText, nothing stored': async () => toolStart((await peers()).aiLoop),
      '@tanstack/ai chat, nothing stored': async () => toolStart((await peers()).tanstackLoop),
    },
  },
  concurrent: {
    title: 'Runs of ten calls at once, in one process',
    target: '1,000 runs, ≤ 32 KB of heap each, no call lost',
    variants: {
      'Utensil, no thread': async () => concurrent(utensilLoop('read')),
      'Utensil, threads in memory': async () => concurrent(utensilLoop('read', memory())),
      'ai streamText, nothing stored': async () => concurrent((await peers()).aiLoop),
      '@tanstack/ai chat, nothing stored': async () => concurrent((await peers()).tanstackLoop),
    },
  },
  reads: {
    title: 'A step of a tool that only reads, and what is stored of it',
    target: '≤ 0.08 ms of CPU with a thread in memory, one commit a step, ≤ 1 sync a step under `power`',
    variants: {
      'no thread': async () => reads({}),
      'thread in memory': async () => reads({ inMemory: true }),
      'records in memory': async () => reads({ open: memory }),
      'directory, process': async () => reads({ open: inDirectory, counted: countedDirectory }),
      'directory, power for everything': async () =>
        reads({
          open: throughPowerLoss,
          counted: (directory, onSync) => countedDirectory(directory, onSync, { durability: 'power' }),
        }),
    },
  },
  growth: {
    title: 'A call in a run of many calls, and in one of a quarter of them',
    target: 'the same',
    variants: {
      'each in a step of its own': async () => growth('steps', 5_000),
      'all in one turn': async () => growth('one turn', 2_000),
    },
  },
  journal: {
    title: 'What a run waits for its journal, with a call a step that changes something',
    target: '≤ 0.2 ms an entry in memory, ≤ 1 sync a step under `power`',
    variants: {
      memory: async () => journal({ open: memory }),
      'directory, process': async () => journal({ open: inDirectory, counted: countedDirectory }),
      'directory, power for calls that change something': async () =>
        journal({ open: inDirectory, counted: countedDirectory, options: { durability: 'power' } }),
      'directory, power for everything': async () =>
        journal({
          open: throughPowerLoss,
          counted: (directory, onSync) => countedDirectory(directory, onSync, { durability: 'power' }),
        }),
    },
  },
  transcript: {
    title: 'Thirty steps of work on files, 40 % of the reads repeated, with a compaction and a toggled tool',
    target: '≥ 95 % of the beginning stable with `first`',
    variants: {
      first: async () => transcript('first', window),
      newest: async () => transcript('newest', window),
      all: async () => transcript('all', window),
      'first, nothing left out': async () => transcript('first', Infinity),
      'newest, nothing left out': async () => transcript('newest', Infinity),
      'all, nothing left out': async () => transcript('all', Infinity),
    },
  },
};
