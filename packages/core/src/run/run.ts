import type { Model, ModelInfo, ToolChoice, ModelRequest } from '../model/model.ts';
import type { RequestSettings } from '../model/request-settings.ts';
import type { Toolset, ToolsetSource } from '../toolset/toolset.ts';
import type { Message, NewMessage } from '../model/message.ts';
import type { Thread } from '../thread/thread.ts';
import type { Schema } from '../schema/schema.ts';
import type { Budget } from './budget/budget.ts';
import type { Policy } from './policy.ts';
import type { Principal } from '../tool/capability.ts';
import type { Grants } from './grants.ts';
import type { Seals } from '../base/seals.ts';
import type { Repeats } from './history-view/show-once.ts';
import type { RunLimits, RunLimit } from '../tool/run-limits.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Environment } from '../base/environment.ts';
import type { RunEvent } from '../tool/run-event.ts';
import type { RunResult } from '../tool/run-result.ts';
import type { QuestionAnswer } from '../thread/question.ts';
import type { DetachedOptions } from './detached-options.ts';
import type { QuestionOptions } from './question-options.ts';

/** What a run needs. */
export interface RunOptions<Output = Json> extends RequestSettings {
  readonly model: Model;
  /** Models that are asked, one after the other, where the one before fails and retries do not help; then for the rest of the run. */
  readonly fallback?: readonly Model[];
  /** What it may use. A source is asked again at each step, and at each call: tools may come and go while it runs. */
  readonly toolset: Toolset | ToolsetSource;
  /** What is new: the user's message, as text or with parts. Stored in `thread`, where there is one. */
  readonly messages: string | readonly (Message | NewMessage)[];
  /** The conversation so far; everything new is stored there before its effect is visible. */
  readonly thread?: Thread;
  /** The system prompt, or how it is for a model: what one family needs to be told, another does not. Prompts of tools follow. */
  readonly instructions?: string | ((model: ModelInfo) => string);
  /** For the first turn; the later ones are `auto`, or `none`. Default `auto`. */
  readonly toolChoice?: ToolChoice;
  /** The form of the final answer, which is then {@link RunResult.value}: an object, as a Standard Schema with JSON Schema. */
  readonly output?: Schema<Output>;
  /** Decides over each call. Default: everything is allowed. */
  readonly policy?: Policy;
  /** Where the user's answer `always` is kept. Default: nowhere, and it is no answer. */
  readonly grants?: Grants;
  /** Marks what the user allows in the thread as their word, which counts after an interruption. Default: they are asked again. */
  readonly seals?: Seals;
  /** Whether somebody can answer questions. If not, what would be asked is denied. Default true. */
  readonly interactive?: boolean;
  /** Who may answer, for how long, and when the run parks. They hold for runs inside too, which park with this one. */
  readonly questions?: QuestionOptions;
  /** How long the run waits for calls that go on in the background. Runs inside wait however long. */
  readonly detached?: DetachedOptions;
  /** Whether a call begins as soon as it is complete, while its turn is still being streamed. Default true. */
  readonly eager?: boolean;
  /**
   * What is known of a call before it begins that may change something, and that is not `idempotent`: with `process`
   * (default) after a crash of the program, with `power` after a loss of power too, at the cost of one durable commit.
   */
  readonly durability?: 'process' | 'power';
  /** Whether the model summarizes what is left out of a history that its context window cannot hold. Default false. */
  readonly summarize?: boolean;
  /** Which one of equal contents in results a request shows: the `first` (default, for the caches of providers), the `newest`, or `all`. */
  readonly repeatedContent?: Repeats;
  readonly limits?: RunLimits;
  /** Allowances that it shares with other runs, as those inside it do: of a user for a day, of a team. If one is used up, it ends. */
  readonly budget?: Budget | readonly Budget[];
  /** Asked when a limit other than time is reached: with `true` the run goes on for as much again, else it has its last turn. */
  onLimit?(limit: RunLimit): boolean | Promise<boolean>;
  readonly signal?: AbortSignal;
  /** Default `default`. */
  readonly projectId?: string;
  /** The user for whom it runs, as the host has authenticated them: tools, policies, grants and secrets are told. */
  readonly principal?: Principal;
  readonly maxOutputTokens?: number;
  /** How much thought to spend, where the model can choose. */
  readonly reasoning?: ModelRequest['reasoning'];
  /** `false` asks for one call a turn, where the api can. */
  readonly parallel?: boolean;
  /** Merged into the body of each request as it is, for what only this vendor has. */
  readonly providerOptions?: JsonObject;
  readonly environment?: Environment;
}

/**
 * What a run needs that goes on after an interruption: a thread, and no new message. The other options are those of the run, as
 * they are not stored: without `policy`, everything is allowed but what waits for approval already.
 */
export type ResumeOptions<Output = Json> = Omit<RunOptions<Output>, 'messages' | 'toolChoice' | 'thread'> & {
  readonly thread: Thread;
};

/** One agent loop from a user message to a terminal status. */
export interface Run<Output = Json> {
  /** With `resume`, provisional until the first event: then that of the run that goes on. */
  readonly id: string;
  /** What happens, from the first event or from a `seq` on; any number of readers. */
  events(from?: number): AsyncIterable<RunEvent>;
  /** Never rejects. */
  readonly result: Promise<RunResult<Output>>;
  /**
   * Answers a question of this run or of one inside it, once its request was told. If another process was faster, its answer is the
   * one that counts, and that the `…-answer` event tells. Throws `question_closed` if there is none, `invalid_input` if this is
   * no answer to it, and `answer_forbidden` if it has `answerers` and `by` is none of them.
   */
  answer(questionId: string, answer: QuestionAnswer, options?: { readonly by?: string }): void;
  /**
   * Adds what the user writes meanwhile: the model reads it with its next turn, which there is then, unless the run is
   * ended before by a tool, a limit, a failure, `stop` or `abort`; it is stored all the same. Calls that wait for an
   * answer, or would ask before that turn, count as not approved, those of tools and of runs inside as well; with
   * `questions: 'keep'` they stay, and that turn waits for their answers. Throws `run_ended` if the run is over.
   */
  send(message: string | NewMessage, options?: { readonly questions?: 'dismiss' | 'keep' }): void;
  /** The request that the model was asked with last, as its provider got it; to be looked at, and not changed. */
  lastRequest(): ModelRequest | undefined;
  /**
   * Lets the step under way finish, then ends; runs inside do the same. With only questions open, it ends with them; a call
   * that a tool makes is not waited for if it is asked about, and asks no more.
   */
  stop(): void;
  /**
   * Cancels one call while the run goes on: one that runs, waits for an answer or has not begun. The model is told by its
   * result, and `reason` with it. A tool that does not heed its signal is not waited for. A call inside another is named by
   * its id, one of a run inside by its path: the calls whose tools began the runs around it, outermost first, and its own
   * id. One that goes on in the background is cancelled too. Returns false, and does nothing, if no such call is under way; a result that is there first counts.
   */
  cancel(callId: string | readonly string[], reason?: string): boolean;
  /** Ends at once, whatever the tools do. */
  abort(reason?: unknown): void;
}
