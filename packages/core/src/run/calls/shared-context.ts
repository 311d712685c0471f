import type { CallContext } from '../../call/call-context.ts';
import { outermost } from '../../model/sub-call.ts';
import type { RunContext } from '../run-context.ts';

/**
 * Members that the contexts of a run's calls share. Absent, not undefined: a context may be spread over the defaults of
 * a guard.
 */
export function sharedContext({ runId, projectId, principal, thread, model, limits, environment }: RunContext) {
  return {
    projectId,
    runId,
    now: environment.now,
    ...(principal && { principal }),
    ...(thread && { threadId: thread.id }),
    ...(model.info.contextWindow !== undefined && { contextWindow: model.info.contextWindow }),
    ...(limits.toolOutput !== undefined && { outputLimit: limits.toolOutput }),
  } satisfies Partial<CallContext>;
}

/** Instructions for the model on reading the rest of a result. */
export function readBackOf({ toolset }: RunContext, callId: string): Pick<CallContext, 'readBack'> {
  const { readBack } = toolset;
  if (readBack === undefined) return {};
  return { readBack: `call ${readBack} with "call_id": ${JSON.stringify(outermost(callId))} and an "offset".` };
}
