import type { OpenSubject } from './subject.ts';

/** What is compared. */
export interface Contender {
  readonly title: string;
  /** Loads and gives it; the import is timed. */
  load(): Promise<OpenSubject>;
}

/** By the names that `--only` takes. Ours is the first, which the others are compared with. */
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
