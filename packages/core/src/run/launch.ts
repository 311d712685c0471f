import { longestTimer } from '../base/environment.ts';
import type { Environment } from '../base/environment.ts';
import { messageOf, UtensilError } from '../base/errors.ts';
import type { InnerCaller } from '../call/execute.ts';
import { arrange, isUnfinished } from '../model/history.ts';
import { textOf, userMessage } from '../model/message.ts';
import type { Message } from '../model/message.ts';
import type { ModelInfo, ToolChoice } from '../model/model.ts';
import type { Toolset } from '../toolset/toolset.ts';
import { answerName, answerTool } from './final-answer.ts';
import { bounded } from './bounded.ts';
import { drive, problemOf } from './loop/drive.ts';
import type { Driver } from './loop/drive.ts';
import { createEventLog } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import { memoryGrants } from './grants.ts';
import type { Grants } from './grants.ts';
import { createHandler } from './handler.ts';
import type { HandlerSetup } from './handler-setup.ts';
import { checkLimits, lastTurnMs } from './loop/limits.ts';
import { noQuestion } from './no-question.ts';
import type { Policy } from './policy.ts';
import type { Run, RunOptions } from './run.ts';
import type { RunResult } from '../tool/run-result.ts';
import { initialState } from './loop/state.ts';
import type { RunInput, RunState } from './loop/state.ts';
import type { SubRunOptions } from '../tool/tool.ts';
import { createTaint, taintBy, taintByGiven, taintByHistory } from './taint.ts';
import type { Taint } from './taint.ts';

/** What the runs of a family share. */
interface Family {
  readonly runGrants: Grants;
  /** What comes from the world outside into one of them may come from there into any. */
  readonly taint: Taint;
}

/** A run whose loop is under way. */
export interface LaunchedRun extends Omit<Run, 'id' | 'events'> {
  /** Whether this is the run, or it is inside this one. */
  hasRun(runId: string): boolean;
  /** The user turned to something else: what they are asked counts as not approved. */
  dismiss(): void;
}

/** A run that is to be launched. */
export interface Launch {
  readonly id: string;
  readonly log: EventLog;
  /** What is new; absent where the run goes on after an interruption. */
  readonly messages: RunOptions['messages'] | undefined;
  readonly family?: Family;
  /** Of a run inside another: as in {@link HandlerSetup}. */
  readonly markOuter?: () => Promise<void>;
}

/** Launches a run: brings its history, its effects and its loop together. */
export function launch(
  options: Omit<RunOptions, 'messages'> & { readonly environment: Environment },
  { id, log, messages: given, family = newFamily(), markOuter }: Launch,
): LaunchedRun {
  const { environment, signal, limits = {}, thread, grants, output } = options;
  const abortion = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  const early: RunInput[] = []; // what happened before the history was there
  const children = new Set<LaunchedRun>();
  const toolset = output === undefined ? options.toolset : options.toolset.derive({ add: [answerTool(output)] });
  const past: HandlerSetup['past'] = {
    begun: new Set(),
    approved: new Map(),
    taint: family.taint,
    reviewed: new Set(),
  };
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
    policy: options.policy ?? allowAll,
    interactive: options.interactive ?? true,
    grants: grants === undefined ? [family.runGrants] : [family.runGrants, grants],
    seals: options.seals,
    canRemember: grants !== undefined,
    async remember(answer, { callId, ...grant }) {
      if (answer === 'run') await family.runGrants.add(grant);
      if (answer !== 'always') return;
      try {
        await grants?.add(grant);
      } catch (error) {
        await family.runGrants.add(grant); // the user has said so: only later runs ask again
        log.emit({
          type: 'permission-ignored',
          callId,
          name: grant.name,
          reason: `it cannot be kept: ${messageOf(error)}`,
        });
      }
    },
    durability: options.durability ?? 'process',
    isEager: options.eager ?? true,
    past,
    summarizes: options.summarize ?? false,
    repeatedContent: options.repeatedContent,
    ...(options.onLimit && { onLimit: options.onLimit }),
    request: requestOptions(options),
    limits,
    environment,
    signal: abortion.signal,
    emit: log.emit,
    feed,
    end,
    markOuter,
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

  async function startInside({ callId, signal: givenUp }: InnerCaller, inside: SubRunOptions): Promise<Run> {
    const { optionsInside, tellOf } = await import('./run-inside.ts');
    const { messages, ...inner } = optionsInside(options, inside);
    const innerId = environment.id();
    const innerLog = createEventLog(innerId, environment.now);
    innerLog.emit({ type: 'run-start' });
    const launched = launch(
      { ...inner, environment, signal: AbortSignal.any([abortion.signal, givenUp]) },
      { id: innerId, log: innerLog, messages, family, markOuter: () => handler.mark(callId) },
    );
    children.add(launched);
    const child = { ...launched, id: innerId, events: innerLog.read };
    void tellOf(child, callId, log).then((usage) => {
      children.delete(launched);
      feed({ type: 'spent', usage });
    });
    return child;
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
    for (const name of toolset.foreign) taintBy(past.taint, name);
    taintByHistory(past.taint, stored);
    taintByGiven(past.taint, added ?? []);
    const begun = {
      limits,
      toolChoice: choiceOf(options.toolChoice, toolset),
      asksAtLimit: options.onLimit !== undefined,
      ...(output && { answerTool: answerName }),
    } as const;
    const state = await initial(stored, added, begun);
    if (added === undefined && state.turn === undefined && state.messages.length === 0)
      return end({ ...state, end: { status: 'complete' } });
    driver = drive(state, options.effects?.(handler) ?? handler);
    for (const input of early) driver.feed(input);
  }

  /** The state that the run begins with; the user's messages are stored, and calls that were left open before them. */
  async function initial(
    stored: readonly Message[],
    added: readonly Message[] | undefined,
    begun: Pick<RunState, 'limits' | 'toolChoice'> & Partial<RunState>,
  ): Promise<RunState> {
    const open = added === undefined || isUnfinished(stored) ? await import('./resume.ts') : undefined;
    const lost = open === undefined || thread === undefined ? [] : await open.readJournal(thread, past, stored);
    for (const message of lost) await handler.append({ type: 'append', message });
    if (open !== undefined && added === undefined) {
      const state = initialState({ ...begun, ...open.resumed([...stored, ...lost]) });
      historyLength = state.messages.length;
      return state;
    }
    const settled = open?.settleOpenCalls([...stored, ...lost], past, environment) ?? [];
    const history = arrange([...stored, ...lost, ...settled]);
    historyLength = history.length;
    const messages = [...settled, ...(added ?? [])];
    for (const message of messages) await handler.append({ type: 'append', message });
    return initialState({ ...begun, messages: arrange([...history, ...(added ?? [])]) });
  }

  function dismissInside(): void {
    handler.dismiss();
    for (const child of children) child.dismiss();
  }

  /** The run ends before its first turn. */
  function fail(error: unknown, messages: readonly Message[] = []): void {
    const isAborted = abortion.signal.aborted;
    historyLength = 0;
    const last = isAborted ? ({ status: 'aborted' } as const) : ({ status: 'error', error: problemOf(error) } as const);
    end({ ...initialState({ limits, toolChoice: 'auto', messages: isAborted ? [] : messages }), end: last });
  }

  const added = given === undefined ? undefined : newMessages(given, environment, id);
  start(added).catch((error: unknown) => fail(error, added));

  return {
    result,
    hasRun: (runId) => runId === id || [...children].some((child) => child.hasRun(runId)),
    answer(callId, answer, runId = id) {
      const child = [...children].find((each) => each.hasRun(runId));
      if (runId === id) handler.answer(callId, answer);
      else if (child === undefined) throw noQuestion(callId);
      else child.answer(callId, answer, runId);
    },
    send(message) {
      if (isOver) throw new UtensilError('run_ended', 'The run is over: begin another one with the message.');
      const added = newMessages(typeof message === 'string' ? message : [message], environment, id);
      taintByGiven(past.taint, added);
      for (const sent of added) feed({ type: 'send', message: sent });
      dismissInside();
    },
    dismiss() {
      feed({ type: 'dismiss' });
      dismissInside();
    },
    lastRequest: handler.lastRequest,
    stop() {
      feed({ type: 'stop' });
      handler.dismiss();
      for (const child of children) child.stop();
    },
    abort,
  };
}

const allowAll: Policy = () => 'allow';

/** A tool may be forced by a former name. */
function choiceOf(choice: ToolChoice = 'auto', { nameOf }: Toolset): ToolChoice {
  return typeof choice === 'string' ? choice : { ...choice, tool: nameOf(choice.tool) };
}

function newFamily(): Family {
  return { runGrants: memoryGrants(), taint: createTaint() };
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
