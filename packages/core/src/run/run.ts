import { longestTimer, platform } from '../environment.ts';
import type { Environment } from '../environment.ts';
import { arrange } from '../history.ts';
import type { Json, JsonObject } from '../json.ts';
import { textOf, userMessage } from '../message.ts';
import type { Message, NewMessage } from '../message.ts';
import type { Model, ModelInfo, ModelRequest, ToolChoice, Usage } from '../model.ts';
import type { Thread } from '../thread.ts';
import type { Toolset } from '../toolset.ts';
import { bounded } from './bounded.ts';
import { drive, problemOf } from './drive.ts';
import type { Driver } from './drive.ts';
import { createEventLog } from './event-log.ts';
import type { RunEvent } from './events.ts';
import { createHandler } from './handler.ts';
import type { Answer, HandlerSetup } from './handler.ts';
import { checkLimits, lastTurnMs } from './limits.ts';
import type { Limit, Limits } from './limits.ts';
import { allowAll } from './policy.ts';
import type { Policy } from './policy.ts';
import { initialState } from './state.ts';
import type { RunInput, RunProblem, RunState, RunStatus } from './state.ts';

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
  /** Decides over each call. Default: everything is allowed. */
  readonly policy?: Policy;
  /** Whether somebody can answer questions. If not, what would be asked is denied. Default true. */
  readonly interactive?: boolean;
  readonly limits?: Limits;
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
}

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
  /** Answers a question. Throws `run_ended` where none of this call is open. */
  answer(callId: string, answer: Answer): void;
  /** Lets the step under way finish, then ends. With only questions open, it ends with them. */
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
  const { environment = platform(), signal, limits = {}, thread } = options;
  const id = environment.id();
  const log = createEventLog(id, environment.now);
  const abortion = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const early: RunInput[] = []; // what happened before the history was there
  let driver: Driver | undefined;
  let historyLength = 0;
  let settle: (result: RunResult) => void;
  const result = new Promise<RunResult>((resolve) => (settle = resolve));
  const handler = createHandler({
    runId: id,
    projectId: options.projectId ?? 'default',
    model: options.model,
    toolset: options.toolset,
    thread,
    instructions: textFor(options.model.info, options.instructions),
    policy: options.policy ?? allowAll,
    interactive: options.interactive ?? true,
    request: requestOptions(options),
    limits,
    environment,
    signal: abortion.signal,
    emit: log.emit,
    end,
  });

  function feed(input: RunInput): void {
    if (driver === undefined) early.push(input);
    else driver.feed(input);
  }

  function abort(reason: unknown = new Error('The run was aborted.')): void {
    if (abortion.signal.aborted) return;
    const input = handler.interrupt();
    abortion.abort(reason);
    feed(input);
  }

  function onAbort(): void {
    abort(signal?.reason);
  }

  function end(state: RunState): void {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    abortion.abort(new Error('The run is over.'));
    const { status, error } = state.end ?? { status: 'error' };
    if (error !== undefined) log.emit({ type: 'error', error });
    log.emit({ type: 'run-end', status });
    log.close();
    settle(toResult(state, historyLength));
  }

  function after(ms: number, then: () => void): void {
    if (ms <= longestTimer) timers.add(setTimeout(then, ms));
  }

  async function start(added: readonly Message[]): Promise<void> {
    checkLimits(limits);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort);
    const { timeMs = Infinity } = limits;
    after(timeMs, () => feed({ type: 'time-over' }));
    after(timeMs + lastTurnMs, () => feed({ type: 'time-over' }));
    const history = thread === undefined ? [] : arrange(await bounded(thread.messages(), abortion.signal));
    historyLength = history.length;
    abortion.signal.throwIfAborted();
    for (const message of added) await handler.append({ type: 'append', message });
    const messages = arrange([...history, ...added]);
    driver = drive(initialState({ limits, toolChoice: options.toolChoice ?? 'auto', messages }), handler);
    for (const input of early) driver.feed(input);
  }

  /** The run ends before its first turn. */
  function fail(error: unknown, messages: readonly Message[]): void {
    const isAborted = abortion.signal.aborted;
    historyLength = 0;
    const last = isAborted ? ({ status: 'aborted' } as const) : ({ status: 'error', error: problemOf(error) } as const);
    end({ ...initialState({ limits, toolChoice: 'auto', messages: isAborted ? [] : messages }), end: last });
  }

  log.emit({ type: 'run-start' });
  const added = newMessages(options.messages, environment);
  start(added).catch((error: unknown) => fail(error, added));

  return {
    id,
    result,
    events: log.read,
    answer: (callId, answer) => void handler.answer(callId, answer).then(feed),
    stop: () => feed({ type: 'stop' }),
    abort,
  };
}

function requestOptions(options: RunOptions): HandlerSetup['request'] {
  const { maxOutputTokens, reasoning, parallel, providerOptions } = options;
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoning !== undefined && { reasoning }),
    ...(parallel !== undefined && { parallel }),
    ...(providerOptions !== undefined && { providerOptions }),
  };
}

function newMessages(messages: RunOptions['messages'], { id, now }: Environment): readonly Message[] {
  const given = typeof messages === 'string' ? [userMessage(messages)] : messages;
  return given.map((message) => ({ id: id(), createdAt: now(), ...message }));
}

function toResult(state: RunState, historyLength: number): RunResult {
  const { status, limit, error, value } = state.end ?? { status: 'error' };
  const messages = arrange(state.messages).slice(historyLength);
  const last = messages.findLast((message) => message.role === 'assistant');
  return {
    status,
    text: last === undefined ? '' : textOf(last.parts),
    messages,
    steps: state.steps,
    usage: state.usage,
    ...(limit !== undefined && { limit }),
    ...(error !== undefined && { error }),
    ...(value !== undefined && { value }),
  };
}

function textFor(model: ModelInfo, instructions: RunOptions['instructions'] = ''): string {
  return typeof instructions === 'function' ? instructions(model) : instructions;
}
