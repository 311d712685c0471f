import { whenReady } from '../../base/eventually.ts';
import type { Eventually } from '../../base/eventually.ts';
import { recordOf } from '../calls/call-records.ts';
import type { CallRecord } from '../calls/call-records.ts';
import { allowAll, judge } from './judge.ts';
import type { CallUnderReview, EarlierDecision } from './judge.ts';
import { loadResume } from '../later-code.ts';
import { interrupted } from '../loop/calls.ts';
import type { Ask, Verdict } from '../loop/state.ts';
import type { RepeatGuard } from './repeats.ts';
import type { RunContext } from '../run-context.ts';

/**
 * Decides about a call of the model, which may have run before an interruption, may repeat others, or may need
 * permission.
 */
export function decideCall(call: CallUnderReview, run: RunContext, guard: RepeatGuard): Eventually<Verdict> {
  const { ready } = call;
  const record = recordOf(run.calls, call.callId);
  const { wasBegun } = record;
  if (ready.replayable !== true) record.replay = undefined;
  const isHarmless =
    ready.refusal === undefined && // its tool may have been removed since
    (ready.idempotent ||
      record.replay !== undefined ||
      (wasBegun === 'assumed' && (ready.effects === 'read' || ready.clientAnswers || isDenied(record))));
  if (wasBegun === undefined || isHarmless) return decideNew(call, run, guard);
  return whenReady(decideBegun(call, run), (verdict) => verdict ?? decideNew(call, run, guard));
}

/** True if the user did not allow it: it did not begin. */
function isDenied({ asked }: CallRecord): boolean {
  return asked?.answers[0]?.answer === 'deny';
}

/** Decision about a call that may have taken effect before an interruption. Undefined: it had no effect. */
async function decideBegun(call: CallUnderReview, run: RunContext): Promise<Verdict | undefined> {
  const record = recordOf(run.calls, call.callId);
  const isKnown = call.ready.refusal === undefined;
  const found = isKnown ? await (await loadResume()).whatBecameOf(call, run) : 'unknown';
  if (typeof found === 'object') return { result: found };
  if (found === 'unknown') {
    const canAsk = isKnown && (run.interactive || record.asked !== undefined);
    return canAsk ? { ask: 'recovery' } : { result: interrupted };
  }
  record.asked = record.askedBefore; // it had no effect: the approval is still valid
  return undefined;
}

function decideNew(call: CallUnderReview, run: RunContext, guard: RepeatGuard): Eventually<Verdict> {
  const { callId, ready } = call;
  const record = recordOf(run.calls, callId);
  const { approval, asked } = record;
  const repeated = ready.refusal ?? guard.refusal(ready);
  if (repeated !== undefined) return { result: repeated };
  const earlier = asked === undefined && approval === undefined ? undefined : earlierOf(record, call, run);
  return whenReady(judge(run, call, earlier), (verdict) => {
    record.why = reasonOf(verdict);
    const stillAsks = asked !== undefined && (asked.answers.length > 0 || run.policy === allowAll);
    return verdict === 'allow' && stillAsks ? { ask: asked.question.kind } : verdict;
  });
}

/** State of a call from before an interruption. */
function earlierOf(
  { approval, asked }: CallRecord,
  { callId, ready }: CallUnderReview,
  run: RunContext,
): EarlierDecision {
  const { name } = ready;
  return {
    isAnswered: asked !== undefined,
    isApproved: approval && (async () => (await loadResume()).isApproved(approval, { callId, name, ready }, run)),
  };
}

function reasonOf(verdict: Verdict): Ask | undefined {
  return typeof verdict === 'object' && 'ask' in verdict ? verdict : undefined;
}
