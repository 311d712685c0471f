import { isDone } from './reported.ts';
import type { ToolResult } from '../../tool/result.ts';
import { identityOf } from './call-identity.ts';
import { recordOf } from './call-records.ts';
import type { CallUnderReview } from '../permission/judge.ts';
import type { RunContext } from '../run-context.ts';
import { CallObserver } from '../taint.ts';

export { isApproved } from '../permission/approval-entry.ts'; // both are needed together

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
  let told: unknown;
  const result = await ready.reconcile(contextOf(callId, run), (said) => {
    told = said;
    return isDone(said) ? said.done : undefined;
  });
  if (isDone(told)) return result.isError ? 'unknown' : result;
  const lapsed = run.thread?.claim()?.lapsed ?? Infinity;
  return told === 'not-done' && begunUnder > lapsed ? 'not-done' : 'unknown';
}

function contextOf(callId: string, run: RunContext) {
  const { projectId, principal, runId, thread, taint, environment, signal, limits } = run;
  const { toolOutput } = limits;
  return {
    observer: new CallObserver(taint),
    projectId,
    ...(principal && { principal }),
    ...(thread && { threadId: thread.id }),
    runId,
    callId,
    identity: () => identityOf(callId, run),
    signal,
    detaches: true,
    now: environment.now,
    ...(toolOutput !== undefined && { outputLimit: toolOutput }),
  };
}
