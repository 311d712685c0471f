import { calls } from '../toolset/calls.ts';
import { platform } from '../base/environment.ts';
import type { Json } from '../base/json.ts';
import { isUtensilError, messageOf, UtensilError } from '../base/errors.ts';
import { loadOnce } from '../base/eventually.ts';
import { noUsage } from '../model/usage.ts';
import { createEventLog } from './event-log.ts';
import type { LaunchedRun } from './launched-run.ts';
import type { RunResult } from '../tool/run-result.ts';
import type { RunOptions, ResumeOptions, Run } from './run.ts';
import { noQuestion } from '../thread/question-errors.ts';

/**
 * Runs a conversation until the model has answered: asks the model, runs the tools it calls, and repeats.
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
export function run<Output = Json>(options: RunOptions<Output>): Run<Output> {
  return loadRun(options, options.messages) as Run<Output>; // `output` has validated the value
}

/**
 * Continues the unfinished run of a thread: one that was stopped, aborted, failed, or whose process ended. Calls with a
 * result do not run again; those that had not begun do; one that may have taken effect is asked about
 * (`recovery-request`), or, if nobody can answer, reported to the model as interrupted. A thread whose last turn is
 * answered completes at once.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, memoryThread, resolveToolset, resume, run } from '@utensil/core';
 * import { scriptedModel } from '@utensil/core/testing';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * const thread = memoryThread('first'); // or openThread(records, 'first'), in whichever process
 * const breaks = scriptedModel([{ text: 'Hel', breaks: 'truncated' }]); // the connection is lost
 * await run({ model: breaks, toolset, thread, messages: 'Hi', limits: { retries: 0 } }).result;
 *
 * const goesOn = resume({ model: scriptedModel([{ text: 'Hello!' }]), toolset, thread });
 * if ((await goesOn.result).text !== 'Hello!') throw new Error('unexpected');
 * ```
 */
export function resume<Output = Json>(options: ResumeOptions<Output>): Run<Output> {
  return loadRun(options) as Run<Output>;
}

/** The loop is loaded with the first run: an app that only shows its tools and threads does not need it. */
function loadRun(options: Omit<RunOptions<unknown>, 'messages'>, messages?: RunOptions['messages']): Run {
  const { environment = platform() } = options;
  const log = createEventLog(environment.id(), environment.now);
  const early = new AbortController();
  const waiting: ((run: LaunchedRun) => unknown)[] = [];
  let launched: LaunchedRun | undefined;
  let isOver = false;

  async function load(): Promise<RunResult> {
    try {
      const [{ begin }] = await Promise.all([loadLoop(), calls()]); // one wait instead of two
      const signal = options.signal ? AbortSignal.any([early.signal, options.signal]) : early.signal;
      launched = await begin({ ...options, environment }, { log, messages, signal });
      for (const each of waiting) each(launched);
    } catch (error) {
      const code = isUtensilError(error) ? error.code : 'run_failed';
      const problem = { code, message: `The run could not begin: ${messageOf(error)}` } as const;
      log.begin({});
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

  if (options.thread === undefined) log.begin({}); // otherwise once the run has its thread
  const result = load().finally(() => (isOver = true));

  return {
    get id() {
      return log.runId;
    },
    result,
    events: log.read,
    answer(questionId, answer, options) {
      if (launched?.answer(questionId, answer, options) !== true) throw noQuestion(questionId);
    },
    send(message, options) {
      if (isOver || launched?.send(message, options) === false) throw runEnded();
      if (launched === undefined) waiting.push((run) => run.send(message, options));
    },
    cancel: (callId, reason) => launched?.cancel(callId, reason) ?? false,
    lastRequest: () => launched?.lastRequest(),
    stop: () => whenLaunched(({ stop }) => stop()),
    abort(reason) {
      early.abort(reason);
      whenLaunched(({ abort }) => abort(reason));
    },
  };
}

const loadLoop = loadOnce(() => import('./outermost-run.ts'));

function runEnded(): UtensilError {
  return new UtensilError('run_ended', 'The run is over: begin another one with the message.');
}
