import type { Fetch } from './capability.ts';
import type { Files } from '../files/files.ts';

/** A script for a sandbox to run. */
export interface SandboxScript {
  /** The body of an async function in strict mode. */
  readonly code: string;
  /** Run first, in this order, in the global scope. A failing one is reported on its console, and skipped. */
  readonly libraries?: readonly { readonly name: string; readonly code: string }[];
  /** The sources of ES modules, by absolute path. */
  readonly modules?: Readonly<Record<string, string>>;
  /** Files behind `fs`; absent: no `fs`. Writes of the script are committed together when it succeeds. */
  readonly files?: Files;
  /** Directories with read-only files for the script. */
  readonly readOnly?: readonly string[];
  /** Network access behind the script's `fetch`; absent: none. Should be guarded. */
  readonly fetch?: Fetch;
  /**
   * Host functions by name: `{ 'tools.x': … }` is `await tools.x(input)` in the script. The signal fires at the end of
   * the script.
   */
  readonly hostFunctions?: Readonly<Record<string, (input: unknown, signal: AbortSignal) => unknown>>;
  /** Limits in milliseconds: on the script's own CPU time, and on the total, waiting included. */
  readonly limits?: { readonly workMs?: number; readonly wallMs?: number };
  readonly signal?: AbortSignal;
}

/** A line of a script's console. */
export interface SandboxLine {
  /** For example `LOG`. */
  readonly level: string;
  readonly text: string;
  /** The library that wrote it during its evaluation. */
  readonly library?: string;
}

/** Outcome of a script. */
export interface SandboxOutcome {
  /** `done` if it succeeded. */
  readonly status: string;
  /** The value as text, or the error. */
  readonly text: string;
  readonly console: readonly SandboxLine[];
  /** Number of omitted lines. */
  readonly consoleDropped: number;
}

/** Runs untrusted JavaScript. Implemented by `@utensil/sandbox-quickjs`. */
export interface Sandbox {
  /** Runs a script in an isolated environment. Never throws. */
  run(script: SandboxScript): Promise<SandboxOutcome>;
}
