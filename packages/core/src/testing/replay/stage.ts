import type { JsonObject } from '../../base/json.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { Expectation } from './expectation.ts';
import type { Script } from './script.ts';
import type { Segment } from './segment.ts';

/** First difference between a replay and the stored thread. */
export interface Divergence {
  /** The actual event, in one sentence. */
  readonly message: string;
  /** Number of the entry in the thread, from 1; absent if the replay continues after the last one. */
  readonly entry?: number;
  readonly runId: string;
  /** Number of the model's turn in its process, from 1. */
  readonly step: number;
  readonly callId?: string;
  /** Path in the entry, such as `parts[0].input.path`. */
  readonly field?: string;
  readonly expected?: unknown;
  readonly got?: unknown;
}

/** Location of a divergence, as far as its finder knows it. */
export type Found = Omit<Divergence, 'runId' | 'step'>;

/** State shared by the model, tools and thread of a replay. */
export interface Stage {
  readonly segment: Segment;
  readonly script: Script;
  readonly expectation: Expectation;
  /** Names of tools to execute for real. */
  readonly real: ReadonlySet<string>;
  /** True if the app's policy or guard decides; otherwise the stored decisions apply. */
  readonly decides: boolean;
  /** True if the run ended, or may have ended, while calls were under way. */
  readonly endsCalls: boolean;
  /** True if the model's context window is known, so that omissions from requests can be compared. */
  readonly compacts: boolean;
  /** Number of turns requested from the model. */
  asked: number;
  /** Counts activity. */
  activity: number;
  /** The app's work under way, such as a policy. */
  busy: number;
  /**
   * True once everything was reproduced that the process stored before it was killed, or the replay has diverged: the
   * rest is ignored.
   */
  isOver: boolean;
  /** Calls made by the model, by id, and waiters for them. */
  readonly streamed: Set<string>;
  readonly waiting: Set<() => void>;
  /** Latest preparation of each call. */
  readonly prepared: Map<string, PreparedCall>;
  /** Inputs of calls as migrated by today's versions of their tools. */
  readonly migrated: Map<string, JsonObject>;
  /** Calls under way without a result in this segment. */
  readonly hanging: Set<string>;
  /** Delivers the stored results of background calls. */
  readonly background: Map<string, () => void>;
  /** Descriptions of entries that cannot be replayed. */
  readonly notes: Set<string>;
  /** Sends the messages written while this turn was streamed. */
  send(turn: number): void;
  /** Cancels a background call, as a person did. */
  cancel(callId: string): void;
  diverge(found: Found): void;
}

/** A promise that is settled only at the end of the replay. */
export function forGood(): Promise<never> {
  return new Promise(() => undefined);
}
