import { interruptedText } from '../model/history.ts';
import { failure } from '../tool/result.ts';
import { recordOf } from './call-records.ts';
import { judge } from './judge.ts';
import type { CallUnderReview } from './judge.ts';
import type { Ask, Verdict } from './loop/state.ts';
import type { RepeatGuard } from './repeats.ts';
import { allowAll } from './run-context.ts';
import type { RunContext } from './run-context.ts';

/** Decides over a call of the model: it may have run before an interruption, repeat others, or need permission. */
export async function decideCall(call: CallUnderReview, run: RunContext, guard: RepeatGuard): Promise<Verdict> {
  const { callId, ready } = call;
  const { name, refusal, idempotent, effects } = ready;
  const record = recordOf(run.calls, callId);
  const { wasBegun, approval } = record;
  if (ready.replayable !== true) record.replay = undefined;
  const interactive = (): boolean => run.interactive || record.asked !== undefined; // there may be an answer
  const isKnown = refusal === undefined; // its tool may be gone since it began
  const isHarmless =
    isKnown && (idempotent || record.replay !== undefined || (wasBegun === 'assumed' && effects === 'read'));
  if (wasBegun !== undefined && !isHarmless) {
    const found = isKnown ? await (await import('./reconcile.ts')).whatBecameOf(call, run) : 'unknown';
    if (typeof found === 'object') return { result: found };
    if (found === 'unknown')
      return isKnown && interactive() ? { ask: 'recovery' } : { result: failure('tool_interrupted', interruptedText) };
    record.asked = record.askedBefore; // it did nothing: what was allowed still is
  }
  const { asked } = record;
  const repeated = refusal ?? guard.refusal(ready);
  if (repeated !== undefined) return { result: repeated };
  const isApproved =
    approval && (async () => (await loadApprovals()).isApproved(approval, { callId, name, ready }, run));
  const verdict = await judge({ ...run, tainted: run.taint.isTainted, interactive: interactive(), isApproved }, call);
  record.why = reasonOf(verdict);
  const stillAsks = asked !== undefined && (asked.answers.length > 0 || run.policy === allowAll);
  return verdict === 'allow' && stillAsks ? { ask: asked.question.kind } : verdict;
}

function reasonOf(verdict: Verdict): Ask | undefined {
  return typeof verdict === 'object' && 'ask' in verdict ? verdict : undefined;
}

const loadApprovals = () => import('./approvals.ts');
