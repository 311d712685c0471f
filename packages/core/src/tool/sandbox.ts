import type { Fetch } from './capability.ts';
import type { Files } from '../files/files.ts';

/** A script for a sandbox to run. */
export interface SandboxScript {
  /** The body of an async function in strict mode. */
  readonly code: string;
  /** Run first, in this order, in the global scope. One that fails is reported on its console, and left. */
  readonly libraries?: readonly { readonly name: string; readonly code: string }[];
  /** The sources of ES modules, by absolute path. */
  readonly modules?: Readonly<Record<string, string>>;
  /** The files behind `fs`; without any there is no `fs`. What the script writes is kept when it succeeds, all at once. */
  readonly files?: Files;
  /** Directories whose files the script can read, not change. */
  readonly readOnly?: readonly string[];
  /** The web behind the script's `fetch`; without it there is no network. It should be guarded. */
  readonly fetch?: Fetch;
  /** What the script may call, by name: `{ 'tools.x': … }` is `await tools.x(input)` there. The signal fires when it is over. */
  readonly hostFunctions?: Readonly<Record<string, (input: unknown, signal: AbortSignal) => unknown>>;
  /** Milliseconds that the code itself runs, and that all may take, with what it waits for. */
  readonly limits?: { readonly workMs?: number; readonly wallMs?: number };
  readonly signal?: AbortSignal;
}

/** A line of a script's console. */
export interface SandboxLine {
  /** Such as `LOG`. */
  readonly level: string;
  readonly text: string;
  /** The library that said it while it was evaluated. */
  readonly library?: string;
}

/** The outcome of a script. */
export interface SandboxOutcome {
  /** `done` where it succeeded. */
  readonly status: string;
  /** The value as text, or what went wrong. */
  readonly text: string;
  readonly console: readonly SandboxLine[];
  /** Lines that did not fit in. */
  readonly consoleDropped: number;
}

/** Runs JavaScript that nobody trusts, as `@utensil/sandbox-quickjs` does. */
export interface Sandbox {
  /** Runs a script in a world of its own. Never throws. */
  run(script: SandboxScript): Promise<SandboxOutcome>;
}
