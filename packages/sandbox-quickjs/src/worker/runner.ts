import type { Instance } from '../engine/engine.ts';
import type { GuestSettings } from '../guest/kit-of.ts';
import type { GuestState } from '../guest/kit.ts';
import type { HostAnswer, HostMessage } from '../guest/run.ts';
import type { SandboxLine } from '@utensil/core';
import type { Ending, HostCall, Job, Slice, SliceStats } from './protocol.ts';
import { crash, endingOf, neverSettled } from './endings.ts';
import { hasManyValues, mostValues } from './many-values.ts';
import { readMessage, readState } from './message.ts';
import { longestText, ownCharacters } from './crossing.ts';
import { inLibraryText, tooLongText, tooMuchText } from './run-errors.ts';
import { createPrinter } from './printer.ts';
import { answerQuestion } from './questions.ts';
import { failedText, timeoutText } from './texts.ts';
import { looksLikeModule, wrapScript } from './script-source.ts';

/** Worker side of one run. Each slice continues until the code can only wait. */
export interface Runner {
  start(): Promise<Slice>;
  resume(answers: readonly HostAnswer[]): Slice;
}

/** Notifications of a runner. */
export interface RunnerReports {
  print(line: SandboxLine): void;
  /** The instance is ready, and the code starts. */
  running(): void;
  /** Blocks until the host has answered a call. Absent if the code cannot block. */
  wait?(waiting: Waiting): HostAnswer;
}

/** A call that the code blocks on, and the calls before it. */
export interface Waiting {
  readonly call: HostCall;
  readonly calls: readonly HostCall[];
  readonly stats: SliceStats;
}

/** Creates a run of a job in a fresh instance. */
export function createRunner(
  given: Promise<Instance>,
  job: Job,
  { print: report, running, wait }: RunnerReports,
): Runner {
  const { limits } = job;
  const { source, shift } = wrapScript(job.code);
  let instance: Instance | undefined;
  let worked = 0;
  let sliceStart = 0;
  let calls: HostCall[] = [];
  let callCount = 0;
  let crossed = 0;
  let library: string | undefined;
  const printer = createPrinter(limits, report);
  /** Ending of the script; its timers may still be pending. */
  let settled: Ending | undefined;
  /** Final ending: further messages of the guest are ignored. */
  let stopped: Ending | undefined;

  const stop = (status: Ending['status'], text: string): void => {
    stopped ??= { status, text, isClean: false };
  };

  const shouldStop = (): boolean => {
    if (stopped === undefined && worked + performance.now() - sliceStart > limits.workMs)
      stop('timeout', timeoutText(limits.workMs) + inLibraryText(library));
    return stopped !== undefined;
  };

  const print = (level: string, text: string): void =>
    printer.print({ level, text, ...(library !== undefined && { library }) });

  function hear(text: string | undefined): void {
    if (stopped !== undefined || !isTakenOver(text)) return;
    const message = readMessage(text);
    if (message === undefined) stop('crashed', failedText);
    else if (message.type === 'console') print(message.level, message.text);
    else if (message.type === 'call') call({ id: message.id, name: message.name, input: message.input }, text.length);
    else if (message.type === 'halt') {
      print('ERROR', message.text);
      stop('halted', 'Halted');
    } else settled ??= { status: message.isError ? 'failed' : 'done', text: bounded(message.text), isClean: true };
  }

  /** True if a message can be parsed without exhausting the worker's own memory, which could crash the process. */
  function isTakenOver(text: string | undefined): text is string {
    if (text === undefined) stop('limit', tooLongText(limits));
    else if (hasManyValues(text))
      stop('limit', `Error: Too many values in one call of a function of the host (${mostValues})`);
    return stopped === undefined;
  }

  function ask(text: string | undefined): string {
    if (text === undefined) stop('limit', tooLongText(limits));
    return text === undefined ? 'null' : answerQuestion(text, { call: callNow });
  }

  /** Truncates a text that the guest should already have truncated; code may have modified the guest. */
  function bounded(text: string): string {
    return text.slice(0, limits.resultCharacters + ownCharacters);
  }

  function call(made: HostCall, characters: number): void {
    if (isWithinLimits(characters)) calls.push(made);
  }

  function isWithinLimits(characters: number): boolean {
    crossed += characters;
    if (++callCount > limits.hostCalls)
      stop('limit', `Error: Too many calls of fs and other functions of the host (${limits.hostCalls})`);
    else if (crossed > limits.hostCharacters) stop('limit', tooMuchText(limits));
    return stopped === undefined;
  }

  /** Answer to a blocking `fs` call. */
  function callNow(value: unknown): HostAnswer | undefined {
    const { name, input } = value as Pick<HostCall, 'name' | 'input'>;
    if (wait === undefined || !name.startsWith('fs.')) return undefined;
    if (stopped !== undefined || !isWithinLimits(JSON.stringify(input).length)) return undefined;
    const before = calls;
    calls = [];
    const answer = wait({ call: { id: 0, name, input }, calls: before, stats: stats() });
    sliceStart = performance.now(); // waiting does not count as work
    return answer;
  }

  async function begin(): Promise<void> {
    const fresh = await given;
    const host = {
      shouldStop,
      longestText: longestText(limits),
      say: hear,
      ask,
      moduleSource: (path: string) => (Object.hasOwn(job.modules, path) ? job.modules[path] : undefined),
    };
    const { functions, withFiles, withFetch } = job;
    const settings: GuestSettings = {
      limit: limits.resultCharacters,
      shift,
      functions,
      withFiles,
      withFetch,
      canWait: wait !== undefined,
    };
    fresh.begin(host, JSON.stringify(settings));
    instance = fresh;
  }

  function tell(guest: Instance, message: HostMessage): string {
    return guest.send(JSON.stringify(message));
  }

  /** Runs one turn; undefined once nothing is left to run. */
  function turn(guest: Instance): GuestState | undefined {
    guest.runJobs();
    if (shouldStop()) return undefined;
    const state = readState(tell(guest, { type: 'turn' }));
    return stopped === undefined ? state : undefined;
  }

  function runLibraries(guest: Instance): void {
    const libraries = job.libraries.map(({ name, code }) => ({ name, source: code }));
    guest.prepare(libraries);
    for (const file of libraries) {
      if (shouldStop()) return;
      library = file.name;
      tell(guest, { type: 'library', looksLikeModule: looksLikeModule(file.source) });
      guest.evaluate(file);
      guest.runJobs();
    }
    library = undefined;
  }

  function conclude(guest: Instance, ending: Ending): Slice {
    tell(guest, { type: 'rejections' });
    guest.acceptRejections();
    return end(stopped ?? ending);
  }

  /** Runs until everything waits. */
  function goOn(guest: Instance): Slice {
    for (;;) {
      const state = turn(guest);
      if (state === undefined) return end(stopped ?? crash());
      if (state.ran) continue;
      const ending = settled ?? (state.wakeAt === undefined ? neverSettled : undefined);
      if (!state.isAwaited && ending !== undefined) return conclude(guest, ending);
      const given = calls;
      calls = [];
      const wakeIn = state.wakeAt === undefined ? {} : { wakeIn: Math.max(0, state.wakeAt - performance.now()) };
      return { type: 'pause', calls: given, ...wakeIn, ...(settled && { ending: settled }), stats: stats() };
    }
  }

  const end = (ending: Ending): Slice => ({ type: 'end', ending, stats: stats() });

  function stats(): SliceStats {
    worked += performance.now() - sliceStart;
    return { workMs: worked, memoryBytes: instance?.memoryBytes() ?? 0, consoleDropped: printer.dropped() };
  }

  function slice(work: (guest: Instance) => Slice): Slice {
    if (instance === undefined) return end(crash());
    try {
      return work(instance);
    } catch (error) {
      return end(stopped ?? endingOf(error));
    }
  }

  return {
    async start() {
      sliceStart = Infinity; // its own start does not count as work
      try {
        await begin();
      } catch (error) {
        sliceStart = performance.now();
        return end(endingOf(error));
      }
      running();
      sliceStart = performance.now();
      return slice((guest) => {
        runLibraries(guest);
        if (!shouldStop()) {
          tell(guest, { type: 'script' });
          guest.evaluate({ name: 'script.js', source });
        }
        return goOn(guest);
      });
    },
    resume(answers) {
      sliceStart = performance.now();
      return slice((guest) => {
        if (answers.length > 0) tell(guest, { type: 'answers', answers });
        return goOn(guest);
      });
    },
  };
}
