import { canonicalJson, toJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { recordOf } from './call-records.ts';
import type { CallRecords, MadeBy } from './call-records.ts';
import type { RunContext } from '../run-context.ts';

/** An inner call about to be made. */
interface NewCall {
  readonly parentCallId: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** Registers an inner call, and returns its identity. */
export function noteMade(records: CallRecords, { parentCallId, name, input }: NewCall): MadeBy {
  const parent = recordOf(records, parentCallId);
  const content = `${name} ${canonicalJson(toJson(input))}`;
  const made = (parent.made ??= new Map<string, number>());
  const before = made.get(content) ?? 0;
  made.set(content, before + 1);
  return { parentCallId, content, before };
}

/** The run of a call, with its thread. */
interface Placed extends Pick<RunContext, 'calls' | 'runId'> {
  readonly thread: { readonly id: string } | undefined;
}

/**
 * Key of a call, the same for every attempt at it and different for every other call. Ids alone are unique only within
 * a thread, and two apps may share thread ids, so it includes more.
 */
export function identityOf(callId: string, run: Placed): Json {
  const { madeBy, ofRun = run.runId } = run.calls.get(callId) ?? {};
  if (madeBy === undefined) return [run.thread?.id ?? null, ofRun, callId];
  const { parentCallId, content, before } = madeBy;
  return [identityOf(parentCallId, run), content, before];
}
