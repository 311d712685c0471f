import { messageOf } from '../errors.ts';
import type { PreparedCall } from '../prepare.ts';
import { failure } from '../tool-result.ts';
import type { Grants } from './grants.ts';
import { denialText, outgrowsGrants } from './policy.ts';
import type { Policy } from './policy.ts';
import type { Verdict } from './state.ts';

/** Who decides over a call. */
export interface Judge {
  readonly policy: Policy;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
  /** Of this run, and of the project. */
  readonly grants: readonly Grants[];
  readonly tainted: boolean;
}

/** A call that is to be decided over. */
export interface Accused {
  readonly callId: string;
  readonly name: string;
  readonly ready: PreparedCall;
}

/** What is to become of a prepared call. A policy that throws denies. */
export async function judge({ policy, interactive, grants, tainted }: Judge, accused: Accused): Promise<Verdict> {
  const { callId, name, ready } = accused;
  const { input, title, effects, openWorld, idempotent, clientAnswers, refusal, toolFingerprint = '' } = ready;
  if (refusal !== undefined) return { result: refusal };
  if (ready.internal === true && effects === 'read') return 'allow';
  try {
    const request = { callId, name, input, title, effects, openWorld, idempotent, toolFingerprint, tainted };
    const decision = await policy(request);
    const isGranted =
      decision === 'ask' && !outgrowsGrants(request) && (await isKnown(grants, { name, toolFingerprint }));
    if (decision === 'allow' || isGranted) {
      if (!clientAnswers) return 'allow';
      return interactive ? { ask: 'input' } : denied(name, 'nobody');
    }
    if (decision === 'ask') {
      const question = clientAnswers ? 'input' : 'approval'; // who gives its output has seen the call
      return interactive ? { ask: question } : denied(name, 'nobody');
    }
    return denied(name, 'policy', typeof decision === 'object' ? decision.deny : undefined);
  } catch (error) {
    return denied(name, 'policy', `the policy failed: ${messageOf(error)}`);
  }
}

async function isKnown(grants: readonly Grants[], grant: Parameters<Grants['has']>[0]): Promise<boolean> {
  for (const each of grants) if (await each.has(grant)) return true;
  return false;
}

function denied(name: string, by: 'nobody' | 'policy', reason?: string): Verdict {
  return { result: failure('tool_denied', denialText(name, by, reason)) };
}
