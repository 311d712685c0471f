import type { ErrorCode, Message, Part, RunStatus, Usage } from '@utensil/core';
import type { CallView } from './call-view.ts';

/** A call in its place among the other pieces of a message. */
export interface CallItem {
  readonly type: 'call';
  readonly call: CallView;
}

/** Something that a person should know of a message or a run, beyond what was said. */
export interface Notice {
  readonly type: 'notice';
  /** `interrupted`: of a message whose stream ended before it did; else how its run ended. */
  readonly kind: 'interrupted' | Exclude<RunStatus, 'complete'>;
  /** In words for people: what happened, and what to do. */
  readonly text: string;
  /** The words of whatever failed, for those who want to know more. */
  readonly details?: string;
  /** Whether the run can be gone on with. */
  readonly canContinue: boolean;
}

/** A piece of a message on a screen: a part as it is stored, a call with its result, or a notice. */
export type ItemView =
  | Exclude<Part, { readonly type: 'tool-call' | 'tool-result' | 'late-result' | 'provider-result' }>
  | CallItem
  | Notice;

/** A turn that failed, and that is asked for again. */
export interface RetryView {
  /** Attempts at this turn that failed, from 1. */
  readonly attempt: number;
  /** Why the last one failed. */
  readonly code: ErrorCode;
  /** When the next attempt is due, in milliseconds since 1970. */
  readonly until: number;
  /** How long that was to wait, in milliseconds: more is never left, whatever the clock of the page says. 0 once it has begun. */
  readonly waitMs: number;
  /** The model that is asked instead; absent if it is the same. */
  readonly model?: string;
}

/** A message of the user or of the assistant on a screen. Results are with their calls. */
export interface MessageView {
  /** Stays the same while a message that is being streamed becomes one that is stored. */
  readonly key: string;
  /** Of what is stored; absent while nothing is. */
  readonly id?: string;
  readonly role: 'user' | 'assistant';
  readonly items: readonly ItemView[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly model?: string;
  readonly usage?: Usage;
  /** More of it comes. */
  readonly isStreaming?: true;
  /** Its turn has failed, and nothing has come of the next attempt yet. */
  readonly retry?: RetryView;
  /** As it is stored. */
  readonly message?: Message;
}

/** A thread on a screen. */
export interface ThreadView {
  readonly messages: readonly MessageView[];
  /** At which place each message is, by its id. */
  readonly places: ReadonlyMap<string, number>;
}
