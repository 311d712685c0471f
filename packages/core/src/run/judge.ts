import { messageOf } from '../errors.ts';
import { isPromise } from '../eventually.ts';
import type { Eventually } from '../eventually.ts';
import type { PreparedCall } from '../prepare.ts';
import { failure } from '../tool-result.ts';
import { denialText } from './policy.ts';
import type { Decision, Policy } from './policy.ts';
import type { Verdict } from './state.ts';

/** Who decides over a call. */
export interface Judge {
  readonly policy: Policy;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
}

/** A call that is to be decided over. */
export interface Accused {
  readonly callId: string;
  readonly name: string;
  readonly ready: PreparedCall;
}

/** What is to become of a prepared call. A policy that throws denies. */
export function judge({ policy, interactive }: Judge, { callId, name, ready }: Accused): Eventually<Verdict> {
  const { input, title, effects, openWorld, idempotent, clientAnswers, refusal, toolFingerprint = '' } = ready;
  if (refusal !== undefined) return { result: refusal };
  const asksSomebody = clientAnswers && !interactive;
  const decide = (decision: Decision): Verdict => {
    if (decision === 'allow' && !asksSomebody) return 'allow';
    if (decision === 'ask' || decision === 'allow') return interactive ? 'ask' : denied(denialText(name, 'nobody'));
    return denied(denialText(name, 'policy', typeof decision === 'object' ? decision.deny : undefined));
  };
  const fail = (error: unknown): Verdict =>
    denied(denialText(name, 'policy', `the policy failed: ${messageOf(error)}`));
  try {
    const decision = policy({ callId, name, input, title, effects, openWorld, idempotent, toolFingerprint });
    return isPromise(decision) ? decision.then(decide).catch(fail) : decide(decision);
  } catch (error) {
    return fail(error);
  }
}

function denied(text: string): Verdict {
  return { result: failure('tool_denied', text) };
}
