// What hostile code does, as data: an attack, a class of them, and how they are written.

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

/** What a sandbox is given so that attacks end soon, and what else guards it. */
export interface Guards {
  readonly workMs: number;
  readonly wallMs: number;
  readonly memoryBytes: number;
  readonly stackBytes: number;
  readonly hostCalls: number;
  readonly hostCharacters: number;
  readonly resultCharacters: number;
  readonly consoleLines: number;
  readonly consoleCharacters: number;
  /** Of the sandbox: how long QuickJS has to end by itself. */
  readonly graceMs: number;
  /** What no script may change. */
  readonly readOnly: readonly string[];
  /** Whether a tool is on that is off for the attack. */
  readonly isToolOn: boolean;
  /** What calls of tools may do unasked. */
  readonly mayDo: 'read' | 'destructive';
}

/** A guard, and an attack that it stops: with the guard lifted the attack succeeds, in little time. */
export interface Guarded {
  readonly attack: Attack;
  /** So tight that the attack meets them, not the machine. */
  readonly under: Partial<Guards>;
  /** As good as none. */
  readonly lifted: Partial<Guards>;
}

/** Attacks of one kind. */
export interface AttackClass {
  /** Where somebody was attacked so: an advisory, or what was measured of the engines. */
  readonly source: string;
  /** What stops them: guards, or, where there is nothing that could be switched off, how the sandbox is made. */
  readonly stoppedBy: readonly Guarded[] | string;
  readonly attacks: readonly Attack[];
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
