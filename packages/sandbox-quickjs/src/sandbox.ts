import type { Sandbox as SandboxCapability, SandboxOutcome, SandboxScript } from '@utensil/core';
import type { EngineName } from './engine/engine.ts';

/** What a script may use up. */
export interface SandboxLimits {
  /** Milliseconds that the code itself runs; waiting does not count. Default 5,000. */
  readonly workMs: number;
  /** Milliseconds from the beginning to the end, with all waiting. Default 30,000. */
  readonly wallMs: number;
  /** Bytes that the engine may allocate. Default 128 MiB, at least 1 MiB; `quickjs-emscripten` has 16 MiB from the beginning. */
  readonly memoryBytes: number;
  /** Bytes of stack. Default 256 KiB in Node.js, 32 KiB in browsers, whose stack nobody can set. */
  readonly stackBytes: number;
  /** Calls of host functions, those of `fs` among them. Default 10,000. */
  readonly hostCalls: number;
  /** Characters that may cross to and from host functions, as JSON. Default 32 Mi each way. */
  readonly hostCharacters: number;
  /** Characters of a result, and of a line of the console. What is longer is cut, with a note. Default 100,000. */
  readonly resultCharacters: number;
  /** Lines of the console. Default 1,000. */
  readonly consoleLines: number;
  /** Characters of the console. Default 100,000. */
  readonly consoleCharacters: number;
}

/** A function of the host that code may call: JSON in, JSON out. What it throws, the code can catch: its message and its `code`. */
export type HostFunction = (input: unknown, signal: AbortSignal) => unknown;

/** What to run. */
export interface Script extends Omit<SandboxScript, 'limits'> {
  readonly limits?: Partial<SandboxLimits>;
}

/** How a script ended: only `done` kept what it wrote. */
export type ScriptStatus = 'done' | 'failed' | 'halted' | 'timeout' | 'limit' | 'crashed' | 'aborted';

/** What came of a script. */
export interface ScriptResult extends SandboxOutcome {
  readonly status: ScriptStatus;
  readonly stats: { readonly workMs: number; readonly hostCalls: number; readonly memoryBytes: number };
}

/** Runs code that nobody trusts: core's capability `sandbox`. */
export interface Sandbox extends SandboxCapability {
  readonly engine: EngineName;
  /** `inline`: there is no worker, so the code runs on the caller's thread, which it holds up, and for 250 ms at the most. */
  readonly isolation: 'worker' | 'inline';
  /** Runs a script in an instance of its own. Never throws. */
  run(script: Script): Promise<ScriptResult>;
  /** Ends its workers. What runs is aborted. */
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
