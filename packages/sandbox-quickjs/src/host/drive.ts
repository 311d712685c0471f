import type { SandboxLine } from '@utensil/core';
import type { HostFunction, SandboxLimits, ScriptResult } from '../sandbox.ts';
import type { Ending, FromWorker, Job, Slice, SliceStats } from '../worker/protocol.ts';
import { longestText } from '../worker/crossing.ts';
import { putPiece } from '../worker/mailbox.ts';
import { abortedText, failedText, timeoutText } from '../worker/texts.ts';
import { createHostCalls } from './calls.ts';
import { longestTimer } from './within-time.ts';
import type { Thread } from './thread.ts';

/** Options of {@link drive}. */
export interface DriveOptions {
  readonly thread: Thread;
  readonly job: Job;
  readonly functions: Readonly<Record<string, HostFunction>>;
  readonly signal: AbortSignal;
  /** Wall time already used, in milliseconds. */
  readonly startedMs: number;
  /** Called when the code starts or stops waiting for one of the functions of the job. */
  waits(isWaiting: boolean): void;
  /** Grace period after the limit of a slice before the thread is killed, in milliseconds. */
  readonly graceMs: number;
}

/** Result of a run, and whether its thread can be reused. */
export interface Driven {
  readonly result: ScriptResult;
  readonly isClean: boolean;
}

/**
 * Drives a run from the host. A clock outside the code limits each slice, and host functions are called between slices.
 * Timers also wait on the host, so that it always knows whether the code is running.
 */
export function drive(options: DriveOptions): Promise<Driven> {
  const { thread, job, functions, signal, startedMs, waits, graceMs } = options;
  const { limits } = job;
  const console: SandboxLine[] = [];
  let resolve: (driven: Driven) => void = () => undefined;
  const outcome = new Promise<Driven>((settle) => (resolve = settle));
  const over = new AbortController();
  const calls = createHostCalls({
    functions,
    signal: over.signal,
    characters: limits.hostCharacters,
    longest: longestText(limits),
    answered: onAnswer,
  });
  let stats: SliceStats = { workMs: 0, memoryBytes: 0, consoleDropped: 0 };
  let hostCalls = 0;
  /** Remaining bytes of the answer that the code is waiting for. */
  let rest: Uint8Array = new Uint8Array();
  /** While the code blocks: the ending, if the script ended before its timers. */
  let paused: { readonly ending?: Ending } | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let alarm: ReturnType<typeof setTimeout> | undefined;
  const wall = setTimeout(onWall, Math.min(Math.max(0, limits.wallMs - startedMs), longestTimer));
  let isOver = false;
  let isWaiting = false;
  const outside = new Set(job.functions);

  function setWaiting(next: boolean): void {
    if (next === isWaiting) return;
    isWaiting = next;
    waits(next);
  }

  function finish(ending: Ending): void {
    if (isOver) return;
    isOver = true;
    for (const timer of [watchdog, alarm, wall]) clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    over.abort();
    setWaiting(false);
    const { workMs, memoryBytes, consoleDropped } = stats;
    const { status, text, isClean } = ending;
    const result = { status, text, console, consoleDropped, stats: { workMs, hostCalls, memoryBytes } };
    resolve({ result, isClean });
  }

  const kill = (status: Ending['status'], text: string): void => finish({ status, text, isClean: false });

  function onAbort(): void {
    kill('aborted', abortedText);
  }

  function onWall(): void {
    const ending = paused?.ending;
    if (ending === undefined) return kill('timeout', timeoutText(limits.wallMs));
    console.push({ level: 'WARN', text: `Timers that were left after ${limits.wallMs / 1000} s were dropped.` });
    finish({ ...ending, isClean: false });
  }

  function onMessage(message: FromWorker): void {
    if (isOver) return;
    if (message.type === 'console') {
      if (console.length < limits.consoleLines) console.push(message.line);
    } else if (message.type === 'slice') onSlice(message.slice);
    else if (message.type === 'running') watch();
    else if (message.type === 'wait') void onWait(message);
    else if (message.type === 'wait-on') tellRest();
    else kill('crashed', failedText);
  }

  function onSlice(slice: Slice): void {
    clearTimeout(watchdog);
    ({ stats } = slice);
    if (slice.type === 'end') return finish(slice.ending);
    paused = slice.ending === undefined ? {} : { ending: slice.ending };
    hostCalls += slice.calls.length;
    calls.begin(slice.calls);
    if (calls.hasAnswers()) resume();
    else {
      if (slice.wakeIn !== undefined) alarm = setTimeout(resume, Math.min(slice.wakeIn, longestTimer));
      setWaiting(calls.isAtWork(outside));
    }
  }

  /** The code blocks within its slice; earlier calls are processed first. */
  async function onWait({ call, calls: before, stats: now }: Extract<FromWorker, { type: 'wait' }>): Promise<void> {
    clearTimeout(watchdog);
    stats = now;
    hostCalls += before.length + 1;
    calls.begin(before);
    rest = new TextEncoder().encode(JSON.stringify(await calls.answer(call)));
    if (!isOver) tellRest();
  }

  function tellRest(): void {
    if (thread.mailbox === undefined) return;
    watch();
    rest = putPiece(thread.mailbox, rest);
  }

  function onAnswer(): void {
    if (paused !== undefined && !isOver) resume();
  }

  /** Resumes the code with all available answers. */
  function resume(): void {
    clearTimeout(alarm);
    setWaiting(false);
    paused = undefined;
    watch();
    thread.post({ type: 'resume', answers: calls.takeAnswers() });
  }

  /** Starts the clock: the code runs from here on. */
  function watch(): void {
    clearTimeout(watchdog);
    const left = Math.min(Math.max(0, limits.workMs - stats.workMs + graceMs), longestTimer); // Node.js warns of negative ones
    watchdog = setTimeout(() => kill('timeout', timeoutText(limits.workMs)), left);
  }

  thread.listen({ message: onMessage, died: () => kill('crashed', failedText) });
  if (signal.aborted) onAbort();
  else {
    signal.addEventListener('abort', onAbort);
    thread.post({ type: 'start', job });
  }
  return outcome;
}

/** Limits of a run: the requested values if they are valid, else the defaults; at most the ceilings. */
export function limitsOf(
  defaults: SandboxLimits,
  asked: Partial<SandboxLimits> = {},
  ceilings: Partial<SandboxLimits> = {},
): SandboxLimits {
  const limits = { ...defaults };
  for (const name of Object.keys(defaults) as (keyof SandboxLimits)[]) {
    const value = asked[name] ?? NaN;
    const valid = Number.isFinite(value) && value > 0 ? value : defaults[name];
    (limits as Record<string, number>)[name] = Math.min(valid, ceilings[name] ?? Infinity);
  }
  return limits;
}
