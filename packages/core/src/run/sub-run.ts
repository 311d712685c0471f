import type { Host } from '../capability.ts';
import type { Model } from '../model.ts';
import type { Schema } from '../schema.ts';
import type { Thread } from '../thread.ts';
import type { Tool } from '../tool.ts';
import type { Limits } from './limits.ts';
import type { Run, RunOptions } from './run.ts';

/** A run that a tool begins inside the run that called it. What is absent is as in that run. */
export interface SubRunOptions extends Pick<RunOptions, 'messages' | 'instructions' | 'toolChoice' | 'eager'> {
  readonly model?: Model;
  /** The names of the run's tools that it may use; the others are as unknown as any. Default: all. */
  readonly tools?: readonly string[];
  /** Calls that do more than read are denied, and tools that never only read are as unknown as any. */
  readonly readOnly?: boolean;
  /** Tools of its own. */
  readonly add?: readonly Tool[];
  /** Replaces capabilities of the host, such as `files` by those of a directory. */
  readonly host?: Host;
  /** Its conversation, to be gone on with. Default: none is kept. */
  readonly thread?: Thread;
  /** The form of its answer. */
  readonly output?: Schema;
  readonly limits?: Limits;
}

/** A run inside a run. Its questions are the outer run's, which ends it too when it ends. */
export type SubRun = Pick<Run, 'id' | 'events' | 'result' | 'stop' | 'abort'>;
