import type { OpenSubject } from './subject.ts';

/** A contender. */
export interface Contender {
  readonly title: string;
  /** Loads and returns the subject; the import is timed. */
  load(): Promise<OpenSubject>;
}

/** By name, as for `--only`. The others are compared with the first, which is ours. */
export const contenders: Readonly<Record<string, Contender>> = {
  utensil: {
    title: 'Utensil, quickjs-wasi',
    load: async () => (await import('./subjects/utensil.ts')).utensil('quickjs-wasi'),
  },
  'utensil-emscripten': {
    title: 'Utensil, quickjs-emscripten',
    load: async () => (await import('./subjects/utensil.ts')).utensil('quickjs-emscripten'),
  },
  hand: {
    title: 'quickjs-emscripten by hand, no worker',
    load: async () => (await import('./subjects/by-hand.ts')).byHand,
  },
  sebastianwessel: {
    title: '@sebastianwessel/quickjs, no worker',
    load: async () => (await import('./subjects/sebastianwessel.ts')).sebastianwessel,
  },
  'just-bash': {
    title: 'just-bash js-exec',
    load: async () => (await import('./subjects/just-bash.ts')).justBash,
  },
  vm: { title: 'Node vm, no isolation: the floor', load: async () => (await import('./subjects/node-vm.ts')).nodeVm },
};
