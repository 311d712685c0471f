import type { JsonObject } from '../../base/json.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { Expectation } from './expectation.ts';
import type { Script } from './script.ts';
import type { Segment } from './segment.ts';

/** The first place where a replay does something else than what was stored. */
export interface Divergence {
  /** What happened instead, in one sentence. */
  readonly message: string;
  /** Number of the entry in the thread, from 1; absent if the replay goes on behind the last one. */
  readonly entry?: number;
  readonly runId: string;
  /** Number of the model turn in its process, from 1. */
  readonly step: number;
  readonly callId?: string;
  /** Place in the entry, such as `parts[0].input.path`. */
  readonly field?: string;
  readonly expected?: unknown;
  readonly got?: unknown;
}

/** The place of a divergence, as far as the one who finds it knows it. */
export type Found = Omit<Divergence, 'runId' | 'step'>;

/** What the model, the tools and the thread of a replay share. */
export interface Stage {
  readonly segment: Segment;
  readonly script: Script;
  readonly expectation: Expectation;
  /** Names of tools whose `execute` is called. */
  readonly real: ReadonlySet<string>;
  /** The app's policy, or its guard, decides; else what was stored does. */
  readonly decides: boolean;
  /** The run ended, or may have, while calls were under way. */
  readonly endsCalls: boolean;
  /** The context window of the model is known: what requests leave out can be compared. */
  readonly compacts: boolean;
  /** Turns that the model was asked for. */
  asked: number;
  /** Counts what happens. */
  activity: number;
  /** Work of the app that is under way, such as a policy. */
  busy: number;
  /** Everything was stored again that the process stored before it was killed, or the replay has diverged: nothing more counts. */
  isOver: boolean;
  /** Calls that the model has made, by id, and what waits for one. */
  readonly streamed: Set<string>;
  readonly waiting: Set<() => void>;
  /** Calls as they were prepared last. */
  readonly prepared: Map<string, PreparedCall>;
  /** Inputs of calls as today's versions of their tools have migrated them. */
  readonly migrated: Map<string, JsonObject>;
  /** Calls that are under way, and have no result in this segment. */
  readonly hanging: Set<string>;
  /** What gives calls in the background the results that they had. */
  readonly background: Map<string, () => void>;
  /** What cannot be replayed, in words. */
  readonly notes: Set<string>;
  /** Puts in what was written while this turn was streamed. */
  send(turn: number): void;
  /** Cancels a call in the background, as a person did. */
  cancel(callId: string): void;
  diverge(found: Found): void;
}

/** A wait that only the end of the replay ends. */
export function forGood(): Promise<never> {
  return new Promise(() => undefined);
}
