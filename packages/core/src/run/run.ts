import { longestTimer, platform } from '../environment.ts';
import type { Environment } from '../environment.ts';
import { UtensilError } from '../errors.ts';
import { arrange, hasOpenCalls } from '../history.ts';
import { toJson } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { textOf, userMessage } from '../message.ts';
import type { Message, NewMessage } from '../message.ts';
import type { Model, ModelInfo, ModelRequest, ToolChoice, Usage } from '../model.ts';
import type { Schema } from '../schema.ts';
import type { Thread } from '../thread.ts';
import { result as toolResult } from '../tool.ts';
import type { Tool } from '../tool.ts';
import type { Toolset } from '../toolset.ts';
import { bounded } from './bounded.ts';
import { drive, problemOf } from './drive.ts';
import type { Driver, EffectHandler } from './drive.ts';
import { createEventLog } from './event-log.ts';
import type { RunEvent } from './events.ts';
import { memoryGrants } from './grants.ts';
import type { Grants } from './grants.ts';
import { createHandler } from './handler.ts';
import type { HandlerSetup } from './handler.ts';
import { checkLimits, lastTurnMs } from './limits.ts';
import type { Limit, Limits } from './limits.ts';
import { permissions } from './policy.ts';
import type { Policy } from './policy.ts';
import type { Answer } from './questions.ts';
import { initialState } from './state.ts';
import type { RunInput, RunProblem, RunState, RunStatus } from './state.ts';
import type { SubRunOptions } from './sub-run.ts';

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
  /** Whether somebody can answer questions. If not, what would be asked is denied. Default true. */
  readonly interactive?: boolean;
  /** Whether a call begins as soon as it is complete, while its turn is still being streamed. Default true. */
  readonly eager?: boolean;
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
   * Adds what the user writes meanwhile: the model reads it with its next turn, which there is then. Calls that wait for
   * an answer count as not approved. Throws `run_ended` where the run is over.
   */
  send(message: string | NewMessage): void;
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
  return launch(options, options.messages);
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
  return launch(options);
}

/** What the runs of a family share. */
interface Family {
  readonly runGrants: Grants;
}

interface LaunchedRun extends Run {
  hasRun(runId: string): boolean;
}

function launch(
  options: Omit<RunOptions, 'messages'>,
  given?: RunOptions['messages'],
  family: Family = { runGrants: memoryGrants() },
): LaunchedRun {
  const { environment = platform(), signal, limits = {}, thread, grants, output } = options;
  const id = environment.id();
  const log = createEventLog(id, environment.now);
  const abortion = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const early: RunInput[] = []; // what happened before the history was there
  const children = new Set<LaunchedRun>();
  const toolset = output === undefined ? options.toolset : options.toolset.derive({ add: [answerTool(output)] });
  const past: HandlerSetup['past'] = { begun: new Set(), approved: new Map(), isTainted: false };
  let driver: Driver | undefined;
  let historyLength = 0;
  let isOver = false;
  let settle: (result: RunResult) => void;
  const result = new Promise<RunResult>((resolve) => (settle = resolve));
  const handler = createHandler({
    runId: id,
    projectId: options.projectId ?? 'default',
    model: options.model,
    toolset,
    thread,
    instructions: textFor(options.model.info, options.instructions),
    policy: options.policy ?? permissions('bypass'),
    interactive: options.interactive ?? true,
    grants: grants === undefined ? [family.runGrants] : [family.runGrants, grants],
    canRemember: grants !== undefined,
    async remember(answer, grant) {
      if (answer === 'run') await family.runGrants.add(grant);
      if (answer === 'always') await grants?.add(grant);
    },
    isEager: options.eager ?? true,
    past,
    request: requestOptions(options),
    limits,
    environment,
    signal: abortion.signal,
    emit: log.emit,
    feed,
    end,
    startInside,
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
    isOver = true;
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

  /** A run inside this one: what it takes counts here, and what happens in it is told here. */
  function startInside(callId: string, inside: SubRunOptions): Run {
    const { tools, add, host, messages, model, ...rest } = inside;
    const { thread: _, output: __, toolChoice: ___, instructions: ____, effects: _____, ...shared } = options;
    const change = { ...(tools && { only: tools }), ...(add && { add }), ...(host && { host }) };
    const sub = { ...shared, ...rest, model: model ?? options.model, toolset: options.toolset.derive(change) };
    const child = launch({ ...sub, signal: abortion.signal }, messages, family);
    children.add(child);
    void tellOf(callId, child);
    return child;
  }

  async function tellOf(callId: string, child: LaunchedRun): Promise<void> {
    for await (const event of child.events()) log.emit({ type: 'sub-run', callId, event });
    children.delete(child);
    feed({ type: 'spent', usage: (await child.result).usage });
  }

  async function start(added: readonly Message[] | undefined): Promise<void> {
    checkLimits(limits);
    const [unusable] = output === undefined ? [] : toolset.unavailable.filter(({ tool }) => tool.name === answerName);
    if (unusable !== undefined) throw new UtensilError('invalid_tool', `The form of the answer: ${unusable.reason}`);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort);
    const { timeMs = Infinity } = limits;
    after(timeMs, () => feed({ type: 'time-over' }));
    after(timeMs + lastTurnMs, () => feed({ type: 'time-over' }));
    const stored = thread === undefined ? [] : await bounded(thread.messages(), abortion.signal);
    abortion.signal.throwIfAborted();
    past.isTainted = isTainted(stored);
    const begun = {
      limits,
      toolChoice: options.toolChoice ?? 'auto',
      ...(output && { answerTool: answerName }),
    } as const;
    driver = drive(await initial(stored, added, begun), options.effects?.(handler) ?? handler);
    for (const input of early) driver.feed(input);
  }

  /** The state that the run begins with; the user's messages are stored, and calls that were left open before them. */
  async function initial(
    stored: readonly Message[],
    added: readonly Message[] | undefined,
    begun: Pick<RunState, 'limits' | 'toolChoice'> & Partial<RunState>,
  ): Promise<RunState> {
    const open = added === undefined || hasOpenCalls(stored) ? await import('./resume.ts') : undefined;
    if (open !== undefined && thread !== undefined) await open.readJournal(thread, past);
    if (open !== undefined && added === undefined) {
      const state = initialState({ ...begun, ...open.resumed(stored) });
      historyLength = state.messages.length;
      return state;
    }
    const settled = open?.settleOpenCalls(stored, past, environment) ?? [];
    const history = arrange([...stored, ...settled]);
    historyLength = history.length;
    const messages = [...settled, ...(added ?? [])];
    for (const message of messages) await handler.append({ type: 'append', message });
    return initialState({ ...begun, messages: arrange([...history, ...(added ?? [])]) });
  }

  /** The run ends before its first turn. */
  function fail(error: unknown, messages: readonly Message[] = []): void {
    const isAborted = abortion.signal.aborted;
    historyLength = 0;
    const last = isAborted ? ({ status: 'aborted' } as const) : ({ status: 'error', error: problemOf(error) } as const);
    end({ ...initialState({ limits, toolChoice: 'auto', messages: isAborted ? [] : messages }), end: last });
  }

  log.emit({ type: 'run-start' });
  const added = given === undefined ? undefined : newMessages(given, environment, id);
  start(added).catch((error: unknown) => fail(error, added));

  return {
    id,
    result,
    events: log.read,
    hasRun: (runId) => runId === id || [...children].some((child) => child.hasRun(runId)),
    answer(callId, answer, runId = id) {
      const child = [...children].find((each) => each.hasRun(runId));
      if (child === undefined) handler.answer(callId, answer);
      else child.answer(callId, answer, runId);
    },
    send(message) {
      if (isOver) throw new UtensilError('run_ended', 'The run is over: begin another one with the message.');
      for (const sent of newMessages(typeof message === 'string' ? message : [message], environment, id))
        feed({ type: 'send', message: sent });
    },
    stop: () => feed({ type: 'stop' }),
    abort,
  };
}

const answerName = 'final_answer';

/** The tool that a structured answer is given with. */
function answerTool(output: Schema): Tool {
  return {
    name: answerName,
    description:
      'Gives the final answer, in the form that is asked for. Call it once, at the end, and with no other tool.',
    input: output,
    effects: 'read',
    execute: (value) => toolResult({ output: 'The answer is given.', control: { end: { value: toJson(value) } } }),
  };
}

function isTainted(messages: readonly Message[]): boolean {
  return messages.some(({ parts }) => parts.some((part) => part.type === 'tool-result' && part.openWorld === true));
}

function requestOptions(options: Pick<RunOptions, keyof HandlerSetup['request']>): HandlerSetup['request'] {
  const { maxOutputTokens, reasoning, parallel, providerOptions } = options;
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(reasoning !== undefined && { reasoning }),
    ...(parallel !== undefined && { parallel }),
    ...(providerOptions !== undefined && { providerOptions }),
  };
}

function newMessages(messages: RunOptions['messages'], { id, now }: Environment, runId: string): readonly Message[] {
  const given = typeof messages === 'string' ? [userMessage(messages)] : messages;
  return given.map((message) => ({ id: id(), createdAt: now(), runId, ...message }));
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
