import type { JsonObject } from '../../base/json.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { CallEntry } from '../../thread/entry.ts';
import type { Granted } from './grants.ts';
import type { RunContext } from '../run-context.ts';
import type { RunThread } from '../run-thread.ts';

/** An approved call, as prepared to run. */
export interface ApprovedCall {
  readonly callId: string;
  readonly name: string;
  readonly ready: Pick<PreparedCall, 'input' | 'toolFingerprint'>;
}

type Setup = Pick<RunContext, 'seals' | 'projectId' | 'runId' | 'environment'> & {
  readonly thread: Pick<RunThread, 'id'> | undefined;
};

/** Lifetime of an approval after an interruption. */
const lifetimeMs = 24 * 60 * 60 * 1_000;

/** Creates the journal entry of an approval. With seals, it stays valid after an interruption. */
export async function approvalOf(call: ApprovedCall, setup: Setup): Promise<CallEntry> {
  const { seals, runId, environment } = setup;
  const { toolFingerprint = '' } = call.ready;
  const entry = {
    type: 'call-approved',
    callId: call.callId,
    runId,
    toolFingerprint,
    time: environment.now(),
  } as const;
  if (seals === undefined) return entry;
  const seal = await seals.make(statement(entry, call, setup)).catch(() => undefined); // the approval was for the call itself
  return seal === undefined ? entry : { ...entry, seal };
}

/** True if a journal entry is the user's approval of this call with this input; otherwise the reason why it is not. */
export async function isApproved(entry: CallEntry, call: ApprovedCall, setup: Setup): Promise<Granted> {
  const { seals, environment } = setup;
  if (entry.toolFingerprint !== call.ready.toolFingerprint) return false;
  if (seals === undefined || typeof entry.seal !== 'string')
    return { ignored: 'it has no seal: the app has no key, or another program wrote it' };
  try {
    if (!(await seals.fits(statement(entry, call, setup), entry.seal)))
      return {
        ignored: 'its seal does not fit this call: another program wrote it or the call, or the key of the app is new',
      };
  } catch {
    return { ignored: 'its seal cannot be checked' };
  }
  const age = environment.now() - entry.time;
  if (age < -lifetimeMs) return { ignored: 'it was given by a clock that is more than a day ahead' };
  return age <= lifetimeMs ? true : { ignored: 'it was given more than a day ago' };
}

function statement(entry: CallEntry, { name, ready }: ApprovedCall, { projectId, thread }: Setup): JsonObject {
  const { type, callId, runId, time, toolFingerprint = '' } = entry;
  return {
    type,
    projectId,
    threadId: thread?.id ?? '',
    runId,
    callId,
    name,
    toolFingerprint,
    input: ready.input,
    time,
  };
}
