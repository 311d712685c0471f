import { UtensilError } from '../base/errors.ts';
import type { Message } from '../model/message.ts';
import { subCallMark } from '../model/sub-call.ts';
import type { ToolChoice } from '../model/model.ts';
import type { RunResult } from '../tool/run-result.ts';
import type { Toolset } from '../toolset/toolset.ts';
import { ledgerOf } from './budget/ledger-of.ts';
import type { Ledger } from './budget/ledger.ts';
import type { Usage } from '../model/usage.ts';
import { firstStateOf, newMessages } from './first-state.ts';
import { answerName } from './final-answer.ts';
import { memoryGrants } from './permission/grants.ts';
import type { CallRecords } from './calls/call-records.ts';
import { checkGuarded, sessionOf } from './guard/guard-session.ts';
import { createHandler } from './handler.ts';
import { runContext } from './run-context.ts';
import type { Family, Launch, LaunchedRun, LaunchOptions } from './launched-run.ts';
import { drive, problemOf } from './loop/drive.ts';
import type { Driver } from './loop/drive.ts';
import { isCallOpen } from './loop/calls.ts';
import { checkLimits } from './loop/limits.ts';
import { endAfter } from './loop/ending.ts';
import { initialState } from './loop/state.ts';
import type { RunInput, RunState } from './loop/state.ts';
import { bounded } from './bounded.ts';
import { createRunThread } from './run-thread.ts';
import { toResult } from './outcome.ts';
import { createNestedRuns } from './inner/nested-runs.ts';
import { createRunClock } from './run-clock.ts';
import { createTaint, taintByGiven } from './taint.ts';
import { checkWaiting } from './waiting-options.ts';

/** Launches a run: brings its history, its effects and its loop together. */
export function launch(options: LaunchOptions, launched: Launch): LaunchedRun {
  const { id, log, messages: given, family = newFamily(options.toolset), path = [], earlier } = launched;
  const { markOuter, parkOuter, pauseOuter, spendOuter } = launched;
  const { environment, signal, limits = {} } = options;
  const abortion = new AbortController();
  const clock = createRunClock(limits, environment);
  const early: RunInput[] = []; // events before the history was there
  let driver: Driver | undefined;
  let historyLength = 0;
  let isOver = false;
  let isLeft = false;
  let settle: (result: RunResult) => void;
  const result = new Promise<RunResult>((resolve) => (settle = resolve));
  const calls: CallRecords = new Map();
  const isResumed = given === undefined;
  const ofRun = { options, family, path, runId: id, calls, isResumed, log };
  let ledger: Ledger | undefined;
  const shared = { pauseTime, spend, ledger: () => ledger };
  const outer = { ...ofRun, ...shared, signal: abortion.signal, launch };
  const inside = createNestedRuns({
    ...outer,
    mark: (callId, innerRunId) => handler.mark(callId, innerRunId),
    park: () => handler.park(),
    declined: () => handler.declined(),
  });
  const thread = options.thread && createRunThread(options.thread, { runId: id, earlier, now: environment.now, lost });
  const context = runContext(options, {
    runId: id,
    thread,
    calls,
    family,
    path,
    signal: abortion.signal,
    emit: log.emit,
    feed,
    end,
    ...shared,
    spendOuter,
    markOuter,
    parkOuter,
    inside,
  });
  const handler = createHandler(context);

  function feed(input: RunInput): void {
    if (isLeft) return;
    if (driver === undefined) early.push(input);
    else driver.feed(input);
  }

  function spend(usage: Usage): void {
    feed({ type: 'spent', usage });
    spendOuter?.(usage);
  }

  function abort(reason: unknown = new Error('The run was aborted.')): void {
    if (abortion.signal.aborted) return;
    const input = withStreamed({ type: 'abort' });
    abortion.abort(reason);
    feed(input);
  }

  /** An end of the run, with the parts of the current turn. */
  function withStreamed(input: Extract<RunInput, { type: 'abort' | 'time-over' }>): RunInput {
    const message = handler.streamed();
    return message === undefined ? input : { ...input, message };
  }

  /** Another owner has the thread now: nothing more is done, and nothing stored. */
  function lost(reason: UtensilError): void {
    abortion.abort(reason);
    feed({ type: 'failed', problem: problemOf(reason) });
  }

  function onAbort(): void {
    abort(signal?.reason);
  }

  function forget(): void {
    clock.stop();
    signal?.removeEventListener('abort', onAbort);
  }

  function end(state: RunState): void {
    isOver = true;
    forget();
    abortion.abort(new Error('The run is over.'));
    const pending = [inside.ended(), thread?.leave(state.end?.status ?? 'error')].filter((each) => each !== undefined);
    if (pending.length === 0) return tellEnd(state);
    const tell = (): void => tellEnd(state); // only now may another run begin on the thread
    bounded(Promise.allSettled(pending), abortion.signal).then(tell, tell);
  }

  function tellEnd(state: RunState): void {
    const { status, error } = state.end ?? { status: 'error' };
    log.begin({ runId: id });
    if (error !== undefined) log.emit({ type: 'error', error });
    log.emit({ type: 'run-end', status });
    log.close();
    settle(toResult(state, historyLength));
  }

  function pauseTime(callId: string | undefined, by: 1 | -1): void {
    clock.pause(by);
    if (callId !== undefined) handler.pauseCall(callId, by);
    pauseOuter?.(by);
  }

  async function enterLoop(added: readonly Message[] | undefined): Promise<void> {
    checkLimits(limits);
    checkWaiting(options, path);
    if (path.length === 0) checkGuarded(options);
    const unusable = context.toolset.unavailable.find(({ tool }) => tool.role?.type === 'final-answer');
    if (unusable !== undefined)
      throw new UtensilError('invalid_tool', `The schema of the answer cannot be used: ${unusable.reason}`);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort);
    ledger = await ledgerOf(options, context, launched.ledger);
    if (early.some(({ type }) => type === 'stop')) ledger?.quit();
    clock.start({
      over: () => feed({ type: 'time-over' }),
      atLast: () => feed(withStreamed({ type: 'time-over' })),
    });
    const settings = {
      limits,
      toolChoice: choiceOf(options.toolChoice, context.toolset),
      asksAtLimit: options.onLimit !== undefined,
      models: 1 + context.fallback.length,
      ...(options.output && { answerTool: answerName }),
    };
    const first = await firstStateOf({
      run: context,
      handler,
      opened: (fence) => log.begin({ runId: id, ...(fence !== undefined && { fence }) }),
      added,
      settings,
    });
    ({ historyLength } = first);
    if (isResumed) {
      ledger?.charge(first.state.usage);
      spendOuter?.(first.state.usage);
    }
    const waiting = sentIn(early);
    const state = { ...first.state, waiting, hasMovedOn: waiting.length > 0 };
    if (added === undefined && state.turn === undefined && [...state.messages, ...state.waiting].length === 0)
      return end({ ...state, end: { status: 'complete' } });
    handler.takeUp(first.open);
    driver = drive(state, handler, parkOuter && (() => family.due.size > 0 && parkOuter()));
    for (const input of early) if (input.type !== 'send') driver.feed(input);
  }

  /** The run ends before its first turn. */
  function fail(error: unknown, messages: readonly Message[] = []): void {
    const isAborted = abortion.signal.aborted;
    historyLength = 0;
    const kept = [...(isAborted ? [] : messages), ...sentIn(early)]; // a message that was sent is not stored
    const last = isAborted ? ({ status: 'aborted' } as const) : endAfter(problemOf(error));
    end({ ...initialState({ limits, toolChoice: 'auto', messages: kept }), end: last });
  }

  const added = given === undefined ? undefined : newMessages(given, environment, id);
  enterLoop(added).catch((error: unknown) => fail(error, added));

  return {
    result,
    answer(questionId, answer, { by } = {}) {
      const asked = family.open.get(questionId);
      asked?.(answer, by);
      return asked !== undefined;
    },
    send(message, { questions = 'dismiss' } = {}) {
      if (isOver) return false;
      const sent = newMessages(typeof message === 'string' ? message : [message], environment, id);
      taintByGiven(family.taint, sent);
      for (const each of sent) feed({ type: 'send', message: each, keepsQuestions: questions === 'keep' });
      if (questions === 'keep') return true;
      handler.decline('dismissed', sent);
      inside.dismiss();
      return true;
    },
    dismiss() {
      feed({ type: 'dismiss' });
      handler.decline('dismissed');
      inside.dismiss();
    },
    cancel(callId, reason) {
      const [first, ...within] = typeof callId === 'string' ? [callId] : callId;
      if (first === undefined || driver === undefined || isOver || isLeft) return false;
      if (within.length > 0) return inside.cancel(first, within, reason);
      if (first.includes(subCallMark)) return handler.cancelInside(first, reason);
      const isOpen = isCallOpen(driver.state(), first);
      if (!isOpen) return handler.cancelDetached(first, reason);
      feed({ type: 'cancel', callId: first, reason });
      return true;
    },
    lastRequest: handler.lastRequest,
    stop() {
      feed({ type: 'stop' });
      ledger?.quit();
      handler.decline('stopped');
      inside.stop();
    },
    abort,
    waits: () => thread !== undefined && driver !== undefined && handler.waits(driver.state()),
    async leave() {
      feed({ type: 'store' });
      isLeft = true;
      await handler.leave();
      await thread?.leave('needs-approval');
      forget();
      log.close();
      abortion.abort(new Error('The run is parked, and can be resumed.'));
    },
  };
}

/** A tool may be forced by a former name. */
function choiceOf(choice: ToolChoice = 'auto', { nameOf }: Toolset): ToolChoice {
  return typeof choice === 'string' ? choice : { ...choice, tool: nameOf(choice.tool) };
}

function sentIn(inputs: readonly RunInput[]): readonly Message[] {
  return inputs.flatMap((input) => (input.type === 'send' ? input.message : []));
}

function newFamily(toolset: Toolset): Family {
  const { ownGrants = memoryGrants(), taint = createTaint() } = sessionOf(toolset) ?? {};
  return { runGrants: ownGrants, taint, open: new Map(), due: new Set() };
}
