import type { InnerCaller } from '../call/execute.ts';
import type { SubRunOptions } from '../tool/tool.ts';
import { createEventLog } from './event-log.ts';
import type { EventLog } from './event-log.ts';
import type { Family, Launch, LaunchedRun, LaunchOptions } from './launched-run.ts';
import type { RunInput } from './loop/state.ts';
import type { Declined } from './questions.ts';
import type { Run } from './run.ts';

/** What runs inside a run get from it. */
export interface OuterRun {
  readonly options: LaunchOptions;
  readonly family: Family;
  readonly path: readonly string[];
  readonly log: EventLog;
  /** Fires when the outer run is aborted or over. */
  readonly signal: AbortSignal;
  feed(input: RunInput): void;
  /** The call that began the run may take effect from here on. */
  mark(callId: string): Promise<void>;
  /** Why nothing is asked in runs that begin now; undefined if it is. */
  declined(): Declined | undefined;
  launch(options: LaunchOptions, launch: Launch): LaunchedRun;
}

/** The runs that tools have begun inside a run. */
export interface NestedRuns {
  start(by: InnerCaller, options: SubRunOptions<unknown>): Promise<Run>;
  /** Waits until all of them have ended and are told of; undefined if there is none. */
  ended(): Promise<unknown> | undefined;
  dismiss(): void;
  stop(): void;
}

export function createNestedRuns({
  options,
  family,
  path,
  log,
  signal,
  feed,
  mark,
  declined,
  launch,
}: OuterRun): NestedRuns {
  const { environment } = options;
  const running = new Set<LaunchedRun>();
  const untold = new Set<Promise<void>>();
  return {
    async start({ callId, signal: givenUp }, inside) {
      const { nestedOptions, tellOf } = await import('./nested-options.ts');
      const { messages, ...inner } = nestedOptions(options, inside);
      const id = environment.id();
      const innerLog = createEventLog(id, environment.now);
      innerLog.begin({});
      const launched = launch(
        { ...inner, environment, signal: AbortSignal.any([signal, givenUp]) },
        { id, log: innerLog, messages, family, markOuter: () => mark(callId), path: [...path, callId] },
      );
      running.add(launched);
      if (declined() === 'stopped') launched.stop();
      if (declined() === 'dismissed') launched.dismiss();
      const child = { ...launched, id, events: innerLog.read };
      const told = tellOf(child, callId, log).then((usage) => {
        running.delete(launched);
        untold.delete(told);
        feed({ type: 'spent', usage });
      });
      untold.add(told);
      return child;
    },
    ended: () => (untold.size === 0 ? undefined : Promise.all(untold)),
    dismiss() {
      for (const each of running) each.dismiss();
    },
    stop() {
      for (const each of running) each.stop();
    },
  };
}
