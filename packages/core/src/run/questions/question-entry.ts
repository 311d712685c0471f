import { canonicalJson } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Effect } from '../../model/effect.ts';
import type { ToolCallPart } from '../../model/message.ts';
import type { QuestionEntry } from '../../thread/entry.ts';
import { answersEachTime } from '../../thread/question.ts';
import type { QuestionKind } from '../../thread/question.ts';
import type { RunContext } from '../run-context.ts';
import { effectsShown } from './preview.ts';

/** A question to store. */
export interface Asking {
  readonly call: ToolCallPart;
  readonly kind: QuestionKind;
  /** Effects of the call, whatever its preview shows. */
  readonly effects: Effect;
  readonly preview?: Json | undefined;
  readonly reason?: string | undefined;
  /** True if its answers cannot become grants. */
  readonly eachTime?: boolean | undefined;
  readonly toolFingerprint?: string | undefined;
  readonly parentCallId?: string;
}

/** Creates the stored form of a question. */
export function questionOf(asking: Asking, run: RunContext, id: string): QuestionEntry {
  const { call, kind, effects, preview, reason, eachTime, toolFingerprint, parentCallId } = asking;
  const { runId, projectId, path, taint } = run;
  const { answerers, expireAfterMs } = run.questions;
  const { callId, name, input, title = name } = call;
  const time = run.environment.now();
  const expiresAt = time + (expireAfterMs ?? Infinity);
  const question: QuestionEntry = {
    type: 'question',
    id,
    kind,
    callId,
    name,
    input,
    title,
    effects: effectsShown(effects, preview),
    ...(kind !== 'recovery' && preview !== undefined && { preview }),
    ...(reason !== undefined && { reason }),
    ...answersEachTime(kind, eachTime),
    ...(taint.isTainted && { taintedBy: [...taint.sources] }),
    ...(parentCallId !== undefined && { parentCallId }),
    ...(path.length > 0 && { path }),
    runId,
    projectId,
    ...(toolFingerprint !== undefined && { toolFingerprint }),
    ...(Number.isFinite(expiresAt) && { expiresAt }),
    time,
  };
  const names = typeof answerers === 'function' ? answerers(question) : answerers;
  return names === undefined ? question : { ...question, answerers: names };
}

/** True if an answer to one question is a valid answer to the other. */
export function asksTheSame(one: QuestionEntry, other: QuestionEntry): boolean {
  const isSame = isOfSameCall(one, other) && one.toolFingerprint === other.toolFingerprint;
  return isSame && canonicalJson(one.input) === canonicalJson(other.input);
}

/**
 * True if an answer to a question about a stored call is valid for the migrated call: not if the migrated one may do
 * worse than the person was told.
 */
export function asksTheMigrated(one: QuestionEntry, other: QuestionEntry, from: JsonObject | undefined): boolean {
  if (from === undefined || canonicalJson(one.input) !== canonicalJson(from)) return false;
  return isOfSameCall(one, other) && severity.indexOf(other.effects) <= severity.indexOf(one.effects);
}

function isOfSameCall(one: QuestionEntry, other: QuestionEntry): boolean {
  return (['kind', 'callId', 'name', 'projectId'] as const).every((member) => one[member] === other[member]);
}

const severity: readonly Effect[] = ['read', 'write', 'destructive'];
