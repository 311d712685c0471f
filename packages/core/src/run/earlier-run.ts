import { textOf, callsOf } from '../model/message.ts';
import { totalUsage } from '../model/add-usage.ts';
import { messagesIn } from '../thread/messages.ts';
import type { Thread, ThreadPage } from '../thread/thread.ts';
import type { RunResult, RunStatus } from '../tool/run-result.ts';
import type { SubRun } from '../tool/tool.ts';
import { answerName } from './final-answer.ts';

/** An inner run from before an interruption, as recorded in its thread. */
export type EarlierRun = { readonly page: ThreadPage } | { readonly result: RunResult };

/** Statuses after which there is nothing to continue. */
const over: ReadonlySet<string | undefined> = new Set<RunStatus>(['complete', 'limit', 'refused', 'stopped']);

/** Undefined if the run never began in this thread. A run followed by another there is over, however it ended. */
export async function earlierRun(thread: Thread, runId: string): Promise<EarlierRun | undefined> {
  const page = await thread.read();
  const entries = page.entries.map(({ entry }) => entry);
  const begun = entries.flatMap((entry) => (entry.type === 'run-begun' ? entry.runId : []));
  if (!begun.includes(runId)) return undefined;
  const end = entries.findLast((entry) => entry.type === 'run-ended' && entry.runId === runId);
  const status = end?.type === 'run-ended' ? end.status : undefined;
  const isLast = begun.at(-1) === runId;
  return isLast && !over.has(status)
    ? { page }
    : { result: storedResult(page, runId, status as RunStatus | undefined) };
}

function storedResult(page: ThreadPage, runId: string, status: RunStatus = 'aborted'): RunResult {
  const messages = messagesIn(page).filter((message) => message.runId === runId);
  const turns = messages.filter(({ role }) => role === 'assistant');
  const last = turns.at(-1);
  const answer = last && callsOf(last).find(({ name }) => name === answerName);
  return {
    status,
    text: last === undefined ? '' : textOf(last.parts),
    messages,
    steps: turns.length,
    usage: totalUsage(turns),
    ...(status === 'complete' && answer !== undefined && { value: answer.input }),
  };
}

/** An inner run that was over before the interruption. It emits no events. */
export function endedRun(id: string, result: RunResult): SubRun {
  return {
    id,
    async *events() {
      // They were reported before the interruption.
    },
    result: Promise.resolve(result),
    stop: () => undefined,
    abort: () => undefined,
  };
}
