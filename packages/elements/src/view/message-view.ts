import type { ErrorCode, Message, Part, RunStatus, Usage } from '@utensil/core';
import type { CallView } from './call-view.ts';

/** A call as part of a message. */
export interface CallItem {
  readonly type: 'call';
  readonly call: CallView;
}

/** A notice about a message or a run. */
export interface Notice {
  readonly type: 'notice';
  /**
   * `interrupted`: the message's stream ended early. `damaged`: its run ended normally, without part of the
   * conversation. Else the ending of its run.
   */
  readonly kind: 'interrupted' | 'damaged' | Exclude<RunStatus, 'complete'>;
  /** Text for people: what happened, and what to do. */
  readonly text: string;
  /** Original error text. */
  readonly details?: string;
  /** True if the run can be continued. */
  readonly canContinue: boolean;
}

/** A displayed part of a message: a stored part, a call with its result, or a notice. */
export type ItemView =
  | Exclude<Part, { readonly type: 'tool-call' | 'tool-result' | 'late-result' | 'provider-result' }>
  | CallItem
  | Notice;

/** A failed turn that is being retried. */
export interface RetryView {
  /** Number of failed attempts, from 1. */
  readonly attempt: number;
  /** Error code of the last attempt. */
  readonly code: ErrorCode;
  /** Time of the next attempt, in milliseconds since 1970. */
  readonly until: number;
  /**
   * Planned wait in milliseconds, an upper bound for the remaining time whatever the page's clock says. 0 once the
   * attempt has started.
   */
  readonly waitMs: number;
  /** The model to ask instead; absent if it is the same. */
  readonly model?: string;
}

/** View of a user or assistant message. Results are attached to their calls. */
export interface MessageView {
  /** Stays the same when a streaming message is stored. */
  readonly key: string;
  /** Id of the stored message; absent until it is stored. */
  readonly id?: string;
  readonly role: 'user' | 'assistant';
  readonly items: readonly ItemView[];
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly model?: string;
  readonly usage?: Usage;
  /** True while it is streaming. */
  readonly isStreaming?: true;
  /** Set while a failed turn is retried and nothing has arrived yet. */
  readonly retry?: RetryView;
  /** The stored message. */
  readonly message?: Message;
}

/** View of a thread. */
export interface ThreadView {
  readonly messages: readonly MessageView[];
  /** Index of each message by id. */
  readonly places: ReadonlyMap<string, number>;
}
