import { platform } from '../environment.ts';
import type { Environment } from '../environment.ts';
import { messageOf, UtensilError } from '../errors.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Message, NewMessage } from '../message.ts';
import { noUsage } from '../model.ts';
import type { Model, ModelInfo, ModelRequest, ToolChoice, Usage } from '../model.ts';
import type { Schema } from '../schema.ts';
import type { Seals } from '../seals.ts';
import type { Thread } from '../thread.ts';
import type { Toolset } from '../toolset.ts';
import type { EffectHandler } from './drive.ts';
import { createEventLog } from './event-log.ts';
import type { RunEvent } from './events.ts';
import type { Grants } from './grants.ts';
import type { LaunchedRun } from './launch.ts';
import type { Limit, Limits } from './limits.ts';
import { noQuestion } from './no-question.ts';
import type { Policy } from './policy.ts';
import type { Repeats } from '../view/show-once.ts';
import type { Answer } from './questions.ts';
import type { RunProblem, RunStatus } from './state.ts';

/** What a run needs. */
export interface RunOptions {
  readonly model: Model;
  readonly toolset: Toolset;
  /** What is new: the user's message, as text or with parts. Stored in `thread`, where there is one. */
  readonly messages: string | readonly (Message | NewMessage)[];
  /** The conversation so far; everything new is stored there before its effect is visible. */
  readonly thread?: Thread;
  /** The system prompt, or how it is for a model: what one family needs to be told, another does not. Prompts of tools follow. */
  readonly instructions?: string | ((model: ModelInfo) => string);
  /** For the first turn; the later ones are `auto`, or `none`. Default `auto`. */
  readonly toolChoice?: ToolChoice;
  /** The form of the final answer, which is then {@link RunResult.value}: an object, as a Standard Schema with JSON Schema. */
  readonly output?: Schema;
  /** Decides over each call. Default: everything is allowed. */
  readonly policy?: Policy;
  /** Where the user's answer `always` is kept. Default: nowhere, and it is no answer. */
  readonly grants?: Grants;
  /** Marks what the user allows in the thread as their word, which counts after an interruption. Default: they are asked again. */
  readonly seals?: Seals;
  /** Whether somebody can answer questions. If not, what would be asked is denied. Default true. */
  readonly interactive?: boolean;
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
  readonly limits?: Limits;
  /** Asked when a limit other than time is reached: with `true` the run goes on for as much again, else it has its last turn. */
  onLimit?(limit: Limit): boolean | Promise<boolean>;
  readonly signal?: AbortSignal;
  /** Default `default`. */
  readonly projectId?: string;
  readonly maxOutputTokens?: number;
  /** How much thought to spend, where the model can choose. */
  readonly reasoning?: ModelRequest['reasoning'];
  /** `false` asks for one call a turn, where the api can. */
  readonly parallel?: boolean;
  /** Merged into the body of each request as it is, for what only this vendor has. */
  readonly providerOptions?: JsonObject;
  readonly environment?: Environment;
  /** Stands between the loop and its effects: for tests, and for engines that keep a log of their own. */
  readonly effects?: (handler: EffectHandler) => EffectHandler;
}

/** What a run needs that goes on after an interruption: a thread, and no new message. */
export type ResumeOptions = Omit<RunOptions, 'messages' | 'toolChoice' | 'thread'> & { readonly thread: Thread };

/** How a run ended, and what it brought. */
export interface RunResult {
  readonly status: RunStatus;
  /** The text of the last assistant message. */
  readonly text: string;
  /** What the run added, user's messages included, arranged: a valid history together with what was before. */
  readonly messages: readonly Message[];
  readonly steps: number;
  readonly usage: Usage;
  readonly limit?: Limit;
  readonly error?: RunProblem;
  /** What a tool ended the run with. */
  readonly value?: Json;
}

/** One agent loop from a user message to a terminal status. */
export interface Run {
  readonly id: string;
  /** What happens, from the first event or from a `seq` on; any number of readers. */
  events(from?: number): AsyncIterable<RunEvent>;
  /** Never rejects. */
  readonly result: Promise<RunResult>;
  /**
   * Answers a question; `runId` names the run inside this one that asked, as its event does. Throws `run_ended` where none
   * of this call is open, `invalid_input` where this is no answer to it.
   */
  answer(callId: string, answer: Answer, runId?: string): void;
  /**
   * Adds what the user writes meanwhile: the model reads it with its next turn, which there is then, unless a tool ends
   * the run before. Calls that wait for an answer count as not approved, those of tools and of runs inside as well.
   * Throws `run_ended` where the run is over.
   */
  send(message: string | NewMessage): void;
  /** The request that the model was asked with last, as its provider got it; to be looked at, and not changed. */
  lastRequest(): ModelRequest | undefined;
  /**
   * Lets the step under way finish, then ends; runs inside do the same. With only questions open, it ends with them; a call
   * that a tool makes is not waited for where it is asked about.
   */
  stop(): void;
  /** Ends at once, whatever the tools do. */
  abort(reason?: unknown): void;
}

/**
 * Runs a conversation until the model has answered: calls it, runs the tools it calls, and calls it again.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset, run } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 *
 * const { result } = run({
 *   model: scriptedModel([{ text: 'Hello!' }]),
 *   toolset: resolveToolset(createRegistry(), emptySettings, {}),
 *   messages: 'Hi',
 * });
 * if ((await result).text !== 'Hello!') throw new Error('unexpected');
 * ```
 */
export function run(options: RunOptions): Run {
  return begin(options, options.messages);
}

/**
 * Goes on with what a thread has begun: a run that was stopped, aborted, failed, or whose program ended. Calls that have
 * their result are not run again; those that had not begun are; one that may have taken effect is asked about
 * (`recovery-request`), or, where nobody can answer, reported to the model as interrupted. A thread whose last turn is
 * answered is complete at once.
 *
 * @example
 * ```ts
 * import { createRecords, createRegistry, emptySettings, openThread, resolveToolset, resume } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const { result } = resume({
 *   model: scriptedModel([]),
 *   toolset: resolveToolset(createRegistry(), emptySettings, {}),
 *   thread: openThread(createRecords(memoryStorage()), 'first'),
 * });
 * ```
 */
export function resume(options: ResumeOptions): Run {
  return begin(options);
}

/** The loop is loaded with the first run: an app that shows its tools and threads has no need of it. */
function begin(options: Omit<RunOptions, 'messages'>, messages?: RunOptions['messages']): Run {
  const { environment = platform() } = options;
  const id = environment.id();
  const log = createEventLog(id, environment.now);
  const waiting: ((run: LaunchedRun) => void)[] = [];
  let launched: LaunchedRun | undefined;
  let isOver = false;

  async function start(): Promise<RunResult> {
    try {
      const { launch } = await import('./launch.ts');
      launched = launch({ ...options, environment }, { id, log, messages });
      for (const each of waiting) each(launched);
    } catch (error) {
      const problem = { code: 'run_failed', message: `The run could not begin: ${messageOf(error)}` } as const;
      log.emit({ type: 'error', error: problem });
      log.emit({ type: 'run-end', status: 'error' });
      log.close();
      return { status: 'error', error: problem, text: '', messages: [], steps: 0, usage: noUsage };
    }
    return launched.result;
  }

  function whenLaunched(then: (run: LaunchedRun) => void): void {
    if (launched === undefined) waiting.push(then);
    else then(launched);
  }

  log.emit({ type: 'run-start' });
  const result = start().finally(() => (isOver = true));

  return {
    id,
    result,
    events: log.read,
    answer(callId, answer, runId) {
      if (launched === undefined) throw noQuestion(callId);
      launched.answer(callId, answer, runId);
    },
    send(message) {
      if (isOver) throw new UtensilError('run_ended', 'The run is over: begin another one with the message.');
      whenLaunched(({ send }) => send(message));
    },
    lastRequest: () => launched?.lastRequest(),
    stop: () => whenLaunched(({ stop }) => stop()),
    abort: (reason) => whenLaunched(({ abort }) => abort(reason)),
  };
}
