import type { Model, ModelInfo, ToolChoice, ModelRequest } from '../model/model.ts';
import type { RequestSettings } from '../model/request-settings.ts';
import type { Toolset, ToolsetSource } from '../toolset/toolset.ts';
import type { Message, NewMessage } from '../model/message.ts';
import type { Thread } from '../thread/thread.ts';
import type { Schema } from '../schema/schema.ts';
import type { Budget } from './budget/budget.ts';
import type { Policy } from './permission/policy.ts';
import type { Principal } from '../tool/capability.ts';
import type { Grants } from './permission/grants.ts';
import type { Seals } from '../base/seals.ts';
import type { Repeats } from './history-view/show-once.ts';
import type { RunLimits, RunLimit } from '../tool/run-limits.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Environment } from '../base/environment.ts';
import type { RunEvent } from '../tool/run-event.ts';
import type { RunResult } from '../tool/run-result.ts';
import type { QuestionAnswer } from '../thread/question.ts';
import type { DetachedOptions } from './calls/detached-options.ts';
import type { QuestionOptions } from './questions/question-options.ts';

/** Options of a run. */
export interface RunOptions<Output = Json> extends RequestSettings {
  readonly model: Model;
  /**
   * Fallback models, tried in order if the previous one fails despite retries; the fallback stays for the rest of the
   * run.
   */
  readonly fallback?: readonly Model[];
  /**
   * The available tools. A source is evaluated at every step and every call, so tools may come and go during the run.
   */
  readonly toolset: Toolset | ToolsetSource;
  /** New input: the user's message, as text or parts. Stored in `thread`, if there is one. */
  readonly messages: string | readonly (Message | NewMessage)[];
  /** The conversation so far; everything new is stored there before it takes effect. */
  readonly thread?: Thread;
  /**
   * The system prompt, or a function of the model, for model families that need different instructions. Prompts of
   * tools are appended.
   */
  readonly instructions?: string | ((model: ModelInfo) => string);
  /** Tool choice of the first turn; `none` applies to all turns. After any other, later turns use `auto`. Default: `auto`. */
  readonly toolChoice?: ToolChoice;
  /**
   * Schema of the final answer, which becomes {@link RunResult.value}: an object, as a Standard Schema with JSON
   * Schema.
   */
  readonly output?: Schema<Output>;
  /** Decides about each call. Default: everything is allowed. */
  readonly policy?: Policy;
  /** Stores grants for the answer `always`. Default: none, and `always` is not offered. */
  readonly grants?: Grants;
  /** Seals approvals in the thread, so that they stay valid after an interruption. Default: the user is asked again. */
  readonly seals?: Seals;
  /** False if nobody can answer questions: calls that would ask are denied. Default: true. */
  readonly interactive?: boolean;
  /**
   * People who may answer questions, time limits for answers, and parking. Applies to inner runs too; they park
   * together with this one.
   */
  readonly questions?: QuestionOptions;
  /** Time limit for background calls. Inner runs wait without limit. */
  readonly detached?: DetachedOptions;
  /** True to begin a call as soon as it is complete, while its turn is still being streamed. Default: true. */
  readonly eager?: boolean;
  /**
   * The failure that `call-begun` must survive before a call that may change something and is not `idempotent` runs:
   * with `process` (default) a crash of the process; with `power` also a loss of power, at the cost of a durable
   * commit.
   */
  readonly durability?: 'process' | 'power';
  /** True to let the model summarize the part of a history that exceeds its context window. Default: false. */
  readonly summarize?: boolean;
  /**
   * The copy of equal contents in results that a request shows: the `first` (default, for the caches of providers), the
   * `newest`, or `all`.
   */
  readonly repeatedContent?: Repeats;
  readonly limits?: RunLimits;
  /**
   * Budgets shared with other runs, and with inner runs: of a user per day, of a team. The run ends when one is
   * exhausted.
   */
  readonly budget?: Budget | readonly Budget[];
  /**
   * Called when a limit other than time is reached: return `true` to extend it by its original amount; otherwise the
   * last turn follows.
   */
  onLimit?(limit: RunLimit): boolean | Promise<boolean>;
  readonly signal?: AbortSignal;
  /** Default: `default`. */
  readonly projectId?: string;
  /** The user on whose behalf it runs, as authenticated by the host. Passed to tools, policies, grants and secrets. */
  readonly principal?: Principal;
  readonly maxOutputTokens?: number;
  /** Reasoning effort, if the model supports it. */
  readonly reasoning?: ModelRequest['reasoning'];
  /** `false` requests at most one call per turn, if the API supports that. */
  readonly parallel?: boolean;
  /** Merged into the body of each request unchanged, for vendor-specific fields. */
  readonly providerOptions?: JsonObject;
  readonly environment?: Environment;
}

/**
 * Options of a resumed run: a thread and no new message. All other options must be passed again, because they are not
 * stored: without `policy`, everything is allowed, except calls that already wait for approval.
 */
export type ResumeOptions<Output = Json> = Omit<RunOptions<Output>, 'messages' | 'toolChoice' | 'thread'> & {
  readonly thread: Thread;
};

/** An agent loop from a user message to a terminal status. */
export interface Run<Output = Json> {
  /** After `resume`, provisional until the first event: then the id of the continued run. */
  readonly id: string;
  /** Events from the first, or from a given `seq`; any number of readers. */
  events(from?: number): AsyncIterable<RunEvent>;
  /** Never rejects. */
  readonly result: Promise<RunResult<Output>>;
  /**
   * Answers a question of this run or an inner one, after its event. If another process answered first, that answer
   * counts, and the `…-answer` event reports it. Throws `question_closed` if the question is not open, `invalid_input`
   * if this is not a valid answer, and `answer_forbidden` if it has `answerers` and `by` is not among them.
   */
  answer(questionId: string, answer: QuestionAnswer, options?: { readonly by?: string }): void;
  /**
   * Adds a message during the run: the model reads it on its next turn, which takes place unless a tool, a limit, a
   * failure, `stop` or `abort` ends the run before; the message is stored in any case. Open questions, and those that
   * would be asked before that turn, count as not approved, in inner runs too; with `questions: 'keep'` they stay open,
   * and that turn waits for their answers. Throws `run_ended` if the run is over.
   */
  send(message: string | NewMessage, options?: { readonly questions?: 'dismiss' | 'keep' }): void;
  /** The last request to the model, as passed to its provider. Read-only. */
  lastRequest(): ModelRequest | undefined;
  /**
   * Ends after the current step, as do inner runs. If only questions are open, ends with them; an inner call that waits
   * for an answer is dropped, and none asks any more.
   */
  stop(): void;
  /**
   * Cancels one call while the run continues: one that is running, waits for an answer or has not begun, or a
   * background call. The model gets a result with the `reason`. A tool that ignores its signal is not waited for. An
   * inner call is identified by its id; a call of an inner run by its path: the calls whose tools began the runs around
   * it, outermost first, and its own id. Returns false if no such call is under way; a result that arrives first
   * counts.
   */
  cancel(callId: string | readonly string[], reason?: string): boolean;
  /** Ends at once, whatever the tools do. */
  abort(reason?: unknown): void;
}
