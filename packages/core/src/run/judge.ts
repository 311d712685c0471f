import type { PreparedCall } from '../call/prepare.ts';
import { denial } from '../tool/result.ts';
import type { RunEventBody } from '../tool/run-event.ts';
import type { Granted, Grants } from './grants.ts';
import { denialText, outgrowsGrants } from './policy.ts';
import type { Policy, PolicyRequest } from './policy.ts';
import type { Verdict } from './loop/state.ts';

/** Who decides over a call. */
export interface Judge {
  readonly policy: Policy;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
  /** Of this run, and of the project. */
  readonly grants: readonly Grants[];
  readonly tainted: boolean;
  /** True if the user had allowed this call before an interruption. */
  readonly isApproved?: (() => Promise<Granted>) | undefined;
  emit(body: RunEventBody): void;
}

/** A call that is allowed, asked about or denied. */
export interface CallUnderReview {
  readonly callId: string;
  readonly ready: PreparedCall;
}

/** What is to become of a prepared call. A policy that throws denies. */
export async function judge(judging: Judge, call: CallUnderReview): Promise<Verdict> {
  const { policy, interactive, tainted } = judging;
  const { callId, ready } = call;
  const { name, input, title, effects, openWorld, idempotent, clientAnswers, refusal, toolFingerprint = '' } = ready;
  if (refusal !== undefined) return { result: refusal };
  try {
    const request = { callId, name, input, title, effects, openWorld, idempotent, toolFingerprint, tainted };
    const decision = await policy(request);
    const isGranted = decision === 'ask' && (needsNoQuestion(ready) || (await isPermitted(judging, request)));
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
    const { messageForModel } = await import('../base/host-paths.ts');
    return denied(name, 'policy', `the policy failed: ${messageForModel(error)}`);
  }
}

/** Part of how the app works, and changes nothing: nobody is asked about it, but a policy may deny it. */
function needsNoQuestion({ internal = false, effects }: PreparedCall): boolean {
  return internal && effects === 'read';
}

/** True if the user has permitted the call before. Emits the reason why a stored permission does not count. */
async function isPermitted({ isApproved, grants, emit }: Judge, request: PolicyRequest): Promise<boolean> {
  const { callId, name, toolFingerprint } = request;
  const permissions = [
    ...(isApproved === undefined ? [] : [isApproved]),
    ...(outgrowsGrants(request) ? [] : grants.map((each) => () => each.has({ name, toolFingerprint }))),
  ];
  for (const check of permissions) {
    const granted = await check();
    if (granted === true) return true;
    if (granted !== false) emit({ type: 'permission-ignored', callId, name, reason: granted.ignored });
  }
  return false;
}

function denied(name: string, by: 'nobody' | 'policy', reason?: string): Verdict {
  return { result: denial(by, denialText(name, by, reason)) };
}
