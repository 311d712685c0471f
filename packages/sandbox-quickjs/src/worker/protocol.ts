import type { Mailbox } from './mailbox.ts';
import type { EngineName, InstanceSize } from '../engine/engine.ts';
import type { HostAnswer } from '../guest/run.ts';
import type { SandboxLine } from '@utensil/core';
import type { SandboxLimits, ScriptStatus } from '../sandbox.ts';

/** A script as sent to a worker. */
export interface Job {
  readonly code: string;
  readonly libraries: readonly { readonly name: string; readonly code: string }[];
  readonly modules: Readonly<Record<string, string>>;
  readonly withFiles: boolean;
  readonly withFetch: boolean;
  /** Names of the host's functions. */
  readonly functions: readonly string[];
  readonly limits: SandboxLimits;
}

/** Messages to the worker. Each except `load` is answered by a slice. */
export type ToWorker =
  | {
      readonly type: 'load';
      readonly engine: EngineName;
      readonly wasm: WebAssembly.Module;
      readonly size: InstanceSize;
      /** Channel for the answer to a blocking call. */
      readonly mailbox?: Mailbox;
    }
  | { readonly type: 'start'; readonly job: Job }
  | { readonly type: 'resume'; readonly answers: readonly HostAnswer[] };

export interface HostCall {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

/** Result of running the code until it has nothing more to do. */
export type Slice =
  | {
      readonly type: 'pause';
      readonly calls: readonly HostCall[];
      /** Milliseconds until the next timer is due. */
      readonly wakeIn?: number;
      /** The ending of a script whose timers are still pending. */
      readonly ending?: Ending;
      readonly stats: SliceStats;
    }
  | { readonly type: 'end'; readonly ending: Ending; readonly stats: SliceStats };

export interface Ending {
  readonly status: ScriptStatus;
  readonly text: string;
  /** True if the worker may be reused. */
  readonly isClean: boolean;
}

export interface SliceStats {
  readonly workMs: number;
  readonly memoryBytes: number;
  readonly consoleDropped: number;
}

/** Messages from the worker. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** The instance is ready, and the code starts. */
  | { readonly type: 'running' }
  | { readonly type: 'console'; readonly line: SandboxLine }
  | { readonly type: 'slice'; readonly slice: Slice }
  /**
   * The code blocks on this call, and can be answered only through the mailbox. Lists the earlier calls not yet
   * reported.
   */
  | { readonly type: 'wait'; readonly call: HostCall; readonly calls: readonly HostCall[]; readonly stats: SliceStats }
  /** Requests the next piece of that answer. */
  | { readonly type: 'wait-on' }
  | { readonly type: 'broken'; readonly text: string };
