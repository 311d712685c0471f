import { canonicalJson, toJson } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { recordOf } from './call-records.ts';
import type { CallRecords, MadeBy } from './call-records.ts';
import type { RunContext } from './run-context.ts';

/** A call that a tool is about to make. */
interface NewCall {
  readonly parentCallId: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** Takes note of a call that a tool is about to make, and gives what tells it from others. */
export function noteMade(records: CallRecords, { parentCallId, name, input }: NewCall): MadeBy {
  const parent = recordOf(records, parentCallId);
  const content = `${name} ${canonicalJson(toJson(input))}`;
  const made = (parent.made ??= new Map<string, number>());
  const before = made.get(content) ?? 0;
  made.set(content, before + 1);
  return { parentCallId, content, before };
}

/** The run of a call, and its thread. */
interface Placed extends Pick<RunContext, 'calls' | 'runId'> {
  readonly thread: { readonly id: string } | undefined;
}

/**
 * What is the same for each attempt at a call, and for no other call: ids are only unique within a thread, and threads of two apps
 * may have the same id.
 */
export function identityOf(callId: string, run: Placed): Json {
  const { madeBy, ofRun = run.runId } = run.calls.get(callId) ?? {};
  if (madeBy === undefined) return [run.thread?.id ?? null, ofRun, callId];
  const { parentCallId, content, before } = madeBy;
  return [identityOf(parentCallId, run), content, before];
}
