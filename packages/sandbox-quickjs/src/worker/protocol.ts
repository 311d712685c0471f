import type { Mailbox } from './mailbox.ts';
import type { EngineName, InstanceSize } from '../engine/engine.ts';
import type { HostAnswer } from '../guest/run.ts';
import type { SandboxLine } from '@utensil/core';
import type { SandboxLimits, ScriptStatus } from '../sandbox.ts';

/** A script as it is sent to a worker. */
export interface Job {
  readonly code: string;
  readonly libraries: readonly { readonly name: string; readonly code: string }[];
  readonly modules: Readonly<Record<string, string>>;
  readonly withFiles: boolean;
  readonly withFetch: boolean;
  /** The names of the host's functions. */
  readonly functions: readonly string[];
  readonly limits: SandboxLimits;
}

/** To the worker. Each but `load` is answered by a slice. */
export type ToWorker =
  | {
      readonly type: 'load';
      readonly engine: EngineName;
      readonly wasm: WebAssembly.Module;
      readonly size: InstanceSize;
      /** Where a call is answered that the code waits for. */
      readonly mailbox?: Mailbox;
    }
  | { readonly type: 'start'; readonly job: Job }
  | { readonly type: 'resume'; readonly answers: readonly HostAnswer[] };

/** A call of a host function. */
export interface HostCall {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

/** What the code did until it had nothing more to do. */
export type Slice =
  | {
      readonly type: 'pause';
      readonly calls: readonly HostCall[];
      /** Milliseconds until a timer is due. */
      readonly wakeIn?: number;
      /** The script has ended; its timers have not. */
      readonly ending?: Ending;
      readonly stats: SliceStats;
    }
  | { readonly type: 'end'; readonly ending: Ending; readonly stats: SliceStats };

export interface Ending {
  readonly status: ScriptStatus;
  readonly text: string;
  /** The worker may be used again. */
  readonly isClean: boolean;
}

export interface SliceStats {
  readonly workMs: number;
  readonly memoryBytes: number;
  readonly consoleDropped: number;
}

/** From the worker. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** An instance has been made: the code itself begins. */
  | { readonly type: 'running' }
  | { readonly type: 'console'; readonly line: SandboxLine }
  | { readonly type: 'slice'; readonly slice: Slice }
  /** The code waits for this call, and can be told in the mailbox alone. Those before it have not been told of. */
  | { readonly type: 'wait'; readonly call: HostCall; readonly calls: readonly HostCall[]; readonly stats: SliceStats }
  /** The next piece of that answer. */
  | { readonly type: 'wait-on' }
  | { readonly type: 'broken'; readonly text: string };
