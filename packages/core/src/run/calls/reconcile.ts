import { isDone } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';
import { identityOf } from './call-identity.ts';
import { recordOf } from './call-records.ts';
import type { CallUnderReview } from '../permission/judge.ts';
import type { RunContext } from '../run-context.ts';
import { sharedContext } from './shared-context.ts';
import { CallObserver } from '../taint.ts';

/**
 * Outcome of an interrupted call: its result if it is done, as if `execute` had returned it. A tool that throws, times
 * out, or returns anything else does not know. `not-done` counts only if no process may still be executing the call.
 */
export async function whatBecameOf(
  { callId, ready }: CallUnderReview,
  run: RunContext,
): Promise<ToolResult | 'not-done' | 'unknown'> {
  const { begunUnder = 0, asked } = recordOf(run.calls, callId);
  const isSaid = asked?.question.kind === 'recovery' && asked.answers.length > 0; // by a person
  if (ready.reconcile === undefined || isSaid) return 'unknown';
  const context = {
    ...sharedContext(run),
    observer: new CallObserver(run.taint),
    callId,
    identity: () => identityOf(callId, run),
    signal: run.signal,
    detaches: true,
  };
  let told: unknown;
  const result = await ready.reconcile(context, (said) => {
    told = said;
    return isDone(said) ? said.done : undefined;
  });
  if (isDone(told)) return result.isError ? 'unknown' : result;
  const { lapsed = Infinity, fence = 0 } = run.thread?.claim() ?? {};
  return told === 'not-done' && begunUnder > lapsed && begunUnder < fence ? 'not-done' : 'unknown';
}
