import { messageOf } from '../errors.ts';
import type { PreparedCall } from '../prepare.ts';
import { failure } from '../tool-result.ts';
import { denialText } from './policy.ts';
import type { Policy } from './policy.ts';
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
export async function judge({ policy, interactive }: Judge, { callId, name, ready }: Accused): Promise<Verdict> {
  const { input, title, effects, openWorld, idempotent, clientAnswers, refusal, toolFingerprint = '' } = ready;
  if (refusal !== undefined) return { result: refusal };
  try {
    const decision = await policy({ callId, name, input, title, effects, openWorld, idempotent, toolFingerprint });
    if (decision === 'allow' && (interactive || !clientAnswers)) return 'allow';
    if (decision === 'ask' || decision === 'allow') return interactive ? 'ask' : denied(name, 'nobody');
    return denied(name, 'policy', typeof decision === 'object' ? decision.deny : undefined);
  } catch (error) {
    return denied(name, 'policy', `the policy failed: ${messageOf(error)}`);
  }
}

function denied(name: string, by: 'nobody' | 'policy', reason?: string): Verdict {
  return { result: failure('tool_denied', denialText(name, by, reason)) };
}
