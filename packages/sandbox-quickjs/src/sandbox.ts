import type { Sandbox as SandboxCapability, SandboxOutcome, SandboxScript } from '@utensil/core';
import type { EngineName } from './engine/engine.ts';

/** Resource limits of a script. */
export interface SandboxLimits {
  /** Run time of the code without waiting, in milliseconds. Default: 5,000. */
  readonly workMs: number;
  /** Total time including waiting, in milliseconds. Default: 30,000. */
  readonly wallMs: number;
  /** Memory for the engine, in bytes. Default: 128 MiB; minimum: 1 MiB. `quickjs-emscripten` starts with 16 MiB. */
  readonly memoryBytes: number;
  /** Stack, in bytes. Default: 256 KiB in Node.js, 32 KiB in browsers, whose own stack cannot be configured. */
  readonly stackBytes: number;
  /** Number of calls of host functions, including those of `fs`. Default: 10,000. */
  readonly hostCalls: number;
  /** Characters that may cross to and from host functions, as JSON, in each direction. Default: 32 Mi. */
  readonly hostCharacters: number;
  /** Characters of a result, and of a console line. Longer ones are truncated, with a note. Default: 100,000. */
  readonly resultCharacters: number;
  /** Number of console lines. Default: 1,000. */
  readonly consoleLines: number;
  /** Characters of the whole console. Default: 100,000. */
  readonly consoleCharacters: number;
}

/**
 * A function of the host that code may call: JSON in, JSON out. Code can catch its errors, with `message` and `code`.
 */
export type HostFunction = (input: unknown, signal: AbortSignal) => unknown;

/** A script to run. */
export interface Script extends Omit<SandboxScript, 'limits'> {
  readonly limits?: Partial<SandboxLimits>;
}

/** Outcome of a script; only `done` commits its file changes. */
export type ScriptStatus = 'done' | 'failed' | 'halted' | 'timeout' | 'limit' | 'crashed' | 'aborted';

/** Result of a script. */
export interface ScriptResult extends SandboxOutcome {
  readonly status: ScriptStatus;
  readonly stats: { readonly workMs: number; readonly hostCalls: number; readonly memoryBytes: number };
}

/** Runs untrusted code: core's capability `sandbox`. */
export interface Sandbox extends SandboxCapability {
  readonly engine: EngineName;
  /** `inline`: there is no worker, so code blocks the caller's thread: see `SandboxOptions.inline`. */
  readonly isolation: 'worker' | 'inline';
  /** Runs a script in its own instance. Never throws. */
  run(script: Script): Promise<ScriptResult>;
  /** Terminates all workers and aborts running scripts. */
  close(): void;
}

export const defaultLimits: SandboxLimits = {
  workMs: 5_000,
  wallMs: 30_000,
  memoryBytes: 128 * 1024 * 1024,
  stackBytes: 256 * 1024,
  hostCalls: 10_000,
  hostCharacters: 32 * 1024 * 1024,
  resultCharacters: 100_000,
  consoleLines: 1_000,
  consoleCharacters: 100_000,
};
