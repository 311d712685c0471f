import { messagesIn } from '../thread/messages.ts';
import type { Thread, ThreadPage } from '../thread/thread.ts';
import { bounded } from './bounded.ts';
import type { EventLog } from './event-log.ts';
import { launch } from './live-run.ts';
import type { LaunchedRun, LaunchOptions } from './launched-run.ts';
import type { RunOptions } from './run.ts';
import { liveToolset } from '../toolset/live.ts';
import type { Toolset, ToolsetSource } from '../toolset/toolset.ts';
import { UtensilError } from '../base/errors.ts';
import { sessionOf } from './guard/guard-session.ts';

/** Start of a run, in addition to its options. */
export interface Beginning {
  readonly log: EventLog;
  /** Absent: continues the run of the thread. */
  readonly messages: RunOptions['messages'] | undefined;
  /** Fires if the run is aborted before it has begun. */
  readonly signal: AbortSignal;
}

/** Launches a run. A continued run keeps its id, so its thread is read first. */
export async function begin(
  { toolset: given, ...rest }: Omit<LaunchOptions, 'toolset'> & Pick<RunOptions, 'toolset'>,
  { log, messages, signal }: Beginning,
): Promise<LaunchedRun> {
  const options = { ...rest, toolset: typeof given === 'function' ? liveFrom(given) : given };
  const { thread } = options;
  const earlier = messages === undefined && thread !== undefined ? await readFirst(thread, signal) : undefined;
  const id = (earlier && unfinishedRun(earlier)) ?? log.runId;
  return launch(options, { id, log, messages, ...(earlier && { earlier }) });
}

/** Otherwise the state of a guard would be lost with each toolset that the source creates. */
function liveFrom(source: ToolsetSource): Toolset {
  const first = source();
  if (sessionOf(first) === undefined) return liveToolset(source, first);
  const problem = 'This source gives guarded toolsets: pass the source to `guard`, and its result to the run.';
  throw new UtensilError('invalid_option', problem);
}

/** The unfinished run of a thread. A complete one has nothing left to do; a regenerated answer is another run. */
function unfinishedRun(page: ThreadPage): string | undefined {
  const id = messagesIn(page).at(-1)?.runId;
  const end = page.entries
    .map(({ entry }) => entry)
    .findLast((entry) => entry.type === 'run-ended' && entry.runId === id);
  return end?.type === 'run-ended' && end.status === 'complete' ? undefined : id;
}

/** Undefined if the thread cannot be read: the run then reports the error itself. */
async function readFirst(thread: Thread, signal: AbortSignal): Promise<ThreadPage | undefined> {
  try {
    return await bounded(thread.read(), signal);
  } catch {
    return undefined;
  }
}
