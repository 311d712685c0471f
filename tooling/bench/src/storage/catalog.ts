// Data of the benchmark: parts of the work, contenders by backend, and targets.

import type { Amounts } from './work.ts';

export type Backend = 'memory' | 'filesystem' | 'indexeddb';

/** Parts of the work that run in one process, one after another. */
export type Scenario = 'small' | 'many' | 'large';

export type WorkName = 'new' | 'again' | 'grouped' | 'read' | 'list' | 'search' | 'write-large' | 'read-large';

/** Rows of the tables, in order. */
export const workTitles: Readonly<Record<WorkName, (amounts: Amounts) => string>> = {
  new: () => '1 KB into a new file',
  again: () => '1 KB into a file that is there',
  grouped: () => '1 KB into new files, 100 at once',
  read: () => '1 KB read',
  list: ({ many }) => `${many.toLocaleString('en')} names listed`,
  search: ({ many }) => `${many.toLocaleString('en')} files of 5 KB searched`,
  'write-large': ({ largeBytes }) => `${largeBytes / 1_000_000} MB written`,
  'read-large': ({ largeBytes }) => `${largeBytes / 1_000_000} MB read`,
};

/** A contender. */
export interface Variant {
  readonly title: string;
  readonly scenarios: readonly Scenario[];
  /** Slow parts, measured in the first round only. */
  readonly once?: readonly Scenario[];
}

const all: readonly Scenario[] = ['small', 'many', 'large'];
const durable: readonly Scenario[] = ['small', 'large'];

export const variants: Readonly<Record<Backend, Readonly<Record<string, Variant>>>> = {
  memory: {
    utensil: { title: 'Utensil', scenarios: all },
    versions: { title: 'Utensil with versions', scenarios: all },
    memfs: { title: 'memfs, promises', scenarios: all },
    'memfs-sync': { title: 'memfs, synchronous', scenarios: all },
    'just-bash': { title: 'just-bash InMemoryFs', scenarios: all },
  },
  filesystem: {
    utensil: { title: 'Utensil', scenarios: all },
    versions: { title: 'Utensil with versions', scenarios: all },
    raw: { title: 'node:fs by hand', scenarios: all },
    durable: { title: 'Utensil, durable', scenarios: durable },
    'raw-durable': { title: 'node:fs by hand, durable', scenarios: durable },
  },
  indexeddb: {
    utensil: { title: 'Utensil', scenarios: all },
    versions: { title: 'Utensil with versions', scenarios: all },
    raw: { title: 'IndexedDB by hand', scenarios: all },
    zenfs: { title: '@zenfs/dom IndexedDB', scenarios: all, once: ['many'] },
    durable: { title: 'Utensil, durable', scenarios: durable },
    'raw-durable': { title: 'IndexedDB by hand, durable', scenarios: durable },
  },
};

/** Baseline without our rules and equally durable, for the ratios of a variant. */
export const rawOf: Readonly<Record<string, string>> = {
  utensil: 'raw',
  versions: 'raw',
  raw: 'raw',
  zenfs: 'raw',
  durable: 'raw-durable',
  'raw-durable': 'raw-durable',
};

/** Our targets; missing them fails nothing. */
export interface Target {
  readonly backend: Backend;
  readonly variant: string;
  readonly works: readonly WorkName[];
  readonly words: string;
}

const everything: readonly WorkName[] = Object.keys(workTitles) as WorkName[];
const small: readonly WorkName[] = ['new', 'again', 'grouped', 'read'];
const changes: readonly WorkName[] = ['new', 'again', 'grouped', 'write-large'];

export const targets: readonly Target[] = [
  { backend: 'memory', variant: 'utensil', works: small, words: '≥ 100,000 per second, ≥ peers' },
  { backend: 'memory', variant: 'utensil', works: ['list', 'write-large', 'read-large'], words: '≥ peers' },
  { backend: 'memory', variant: 'utensil', works: ['search'], words: '< 1,000 ms, ≥ peers' },
  {
    backend: 'filesystem',
    variant: 'utensil',
    works: everything.filter((work) => work !== 'search'),
    words: '≤ 1.5 × raw',
  },
  { backend: 'filesystem', variant: 'utensil', works: ['search'], words: '< 1,000 ms, ≤ 1.5 × raw' },
  { backend: 'filesystem', variant: 'durable', works: everything, words: '≤ 1.5 × raw' },
  { backend: 'indexeddb', variant: 'utensil', works: ['grouped'], words: '≥ 2,500 per second, ≤ 1.3 × raw' },
  { backend: 'indexeddb', variant: 'utensil', works: ['list'], words: '≤ 60 ms, peer ≥ 2 × ours' },
  ...(['memory', 'filesystem', 'indexeddb'] as const).map((backend) => ({
    backend,
    variant: 'versions',
    works: changes,
    words: 'bytes ≤ 1.5 × ours',
  })),
];
