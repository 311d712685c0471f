// What hostile code does, as data: an attack, and how one is written.

/**
 * What is to come of it: `stopped`, it cannot succeed; `ended`, it may, but must end; or it succeeds, and gives exactly this:
 * where code looks for a way out, what it found.
 */
export type Outcome = 'stopped' | 'ended' | { readonly gives: string };

export interface Attack {
  readonly name: string;
  readonly code: string;
  readonly outcome: Outcome;
}

export const gives = (name: string, code: string, text = 'contained'): Attack => ({
  name,
  code,
  outcome: { gives: text },
});
export const stopped = (name: string, code: string): Attack => ({ name, code, outcome: 'stopped' });
export const ended = (name: string, code: string): Attack => ({ name, code, outcome: 'ended' });

/** Looks for a process, a module loader or a network, by way of a function's constructor. */
const escapes = (path: string): string => `
  const make = ${path};
  const found = make('return [typeof process, typeof require, typeof fetch, typeof WebAssembly, typeof Deno, typeof importScripts].join()')();
  return found === 'undefined,undefined,undefined,undefined,undefined,undefined' ? 'contained' : found;`;

export const way = (name: string, path: string): Attack => gives(name, escapes(path));
