import { messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { PreparedCall } from '../call/prepare.ts';
import { denial } from '../tool/result.ts';
import type { Principal } from '../tool/capability.ts';
import type { ToolResult } from '../tool/result.ts';
import type { RunEventBody } from '../tool/run-event.ts';
import type { Granted, Grants } from './grants.ts';
import { grantOf } from './grants.ts';
import { denialText, outgrowsGrants } from './policy.ts';
import type { AskWhy, Decision, Policy, PolicyRequest } from './policy.ts';
import type { Verdict } from './loop/state.ts';

/** Who decides over a call. */
export interface Judge {
  readonly policy: Policy;
  /** Whether somebody can be asked. */
  readonly interactive: boolean;
  readonly projectId: string;
  readonly principal: Principal | undefined;
  /** Of this run, and of the project. */
  readonly grants: readonly Grants[];
  readonly tainted: boolean;
  /** True if the user had allowed this call before an interruption. */
  readonly isApproved?: (() => Promise<Granted>) | undefined;
  emit(body: RunEventBody): void;
}

/** Who decides over the calls of a run, as it is now. */
export function judging<Run extends Omit<Judge, 'tainted'> & { readonly taint: { readonly isTainted: boolean } }>(
  run: Run,
): Run & Judge {
  return {
    ...run,
    get tainted() {
      return run.taint.isTainted;
    },
  };
}

/** A call that is allowed, asked about or denied. */
export interface CallUnderReview {
  readonly callId: string;
  readonly ready: PreparedCall;
}

/** What is to become of a prepared call. A policy that throws denies. */
export async function judge(judging: Judge, call: CallUnderReview): Promise<Verdict> {
  const { interactive } = judging;
  const { ready } = call;
  const { name, clientAnswers, refusal } = ready;
  if (refusal !== undefined) return { result: refusal };
  const request = requestOf(judging, call);
  const decision = await decisionOf(judging, request);
  if (isDenial(decision)) return denied(name, 'policy', decision);
  const why: Partial<AskWhy> | undefined = decision === 'allow' ? undefined : decision === 'ask' ? {} : decision;
  const isAllowed = why === undefined || needsNoQuestion(ready) || (await isPermitted(judging, request, why));
  if (isAllowed && !clientAnswers) return 'allow';
  if (!interactive) return denied(name, 'nobody');
  const question = clientAnswers ? 'input' : 'approval'; // who gives its output has seen the call
  if (isAllowed) return { ask: question };
  const { ask: reason, eachTime = false } = why;
  return { ask: question, ...(reason !== undefined && { reason }), ...(eachTime && { eachTime }) };
}

/** What the policy says to a call that a person has allowed. */
export interface JudgedAgain {
  /** The result if it denies the call by now. */
  readonly denied?: ToolResult;
  /** The answer counts for this call alone. */
  readonly eachTime: boolean;
}

/** Asks the policy once more, with the input that the call has now. */
export async function judgeAgain(judging: Omit<Judge, 'interactive'>, call: CallUnderReview): Promise<JudgedAgain> {
  const decision = await decisionOf(judging, requestOf(judging, call));
  if (isDenial(decision)) return { denied: denialBy(call.ready.name, 'policy', decision), eachTime: true };
  return { eachTime: isObject(decision) && (decision as Partial<AskWhy>).eachTime === true };
}

function requestOf(
  { tainted, projectId, principal }: Pick<Judge, 'tainted' | 'projectId' | 'principal'>,
  { callId, ready }: CallUnderReview,
): PolicyRequest {
  const { name, formerNames, category, input, title, effects, openWorld, idempotent, toolFingerprint = '' } = ready;
  return {
    callId,
    name,
    ...(formerNames !== undefined && { formerNames }),
    ...(category !== undefined && { category }),
    projectId,
    ...(principal && { principal }),
    input,
    title,
    effects,
    openWorld,
    idempotent,
    toolFingerprint,
    tainted,
  };
}

async function decisionOf({ policy }: Pick<Judge, 'policy'>, request: PolicyRequest): Promise<Decision> {
  try {
    return await policy(request);
  } catch (error) {
    const { messageForModel } = await import('../base/host-paths.ts');
    return { deny: `the policy failed: ${messageForModel(error)}` };
  }
}

type Denial = Extract<Decision, 'deny' | { readonly deny: string }>;

/** What is no decision denies. */
function isDenial(decision: Decision): decision is Denial {
  if (typeof decision === 'string') return decision !== 'allow' && decision !== 'ask';
  return !isObject(decision) || typeof (decision as Partial<AskWhy>).ask !== 'string';
}

/** Part of how the app works, and changes nothing: nobody is asked about it, but a policy may deny it. */
function needsNoQuestion({ internal = false, effects }: PreparedCall): boolean {
  return internal && effects === 'read';
}

/** True if the user has permitted the call before. Emits the reason why a stored permission does not count. */
async function isPermitted(
  { isApproved, grants, emit }: Judge,
  request: PolicyRequest,
  { eachTime = false }: Partial<AskWhy>,
): Promise<boolean> {
  const { callId, name } = request;
  const grant = grantOf(request);
  const permissions = [
    ...(isApproved === undefined ? [] : [isApproved]),
    ...(eachTime || outgrowsGrants(request) ? [] : grants.map((each) => () => each.has(grant))),
  ];
  for (const check of permissions) {
    const granted = await granting(check);
    if (granted === true) return true;
    if (granted !== false) emit({ type: 'permission-ignored', callId, name, reason: granted.ignored });
  }
  return false;
}

/** A permission that cannot be looked up is none. */
async function granting(check: () => Granted | Promise<Granted>): Promise<Granted> {
  try {
    return await check();
  } catch (error) {
    return { ignored: `it cannot be checked: ${messageOf(error)}` };
  }
}

function denied(name: string, by: 'nobody' | 'policy', decision?: Denial): Verdict {
  return { result: denialBy(name, by, decision) };
}

function denialBy(name: string, by: 'nobody' | 'policy', decision?: Denial): ToolResult {
  const reason = isObject(decision) && typeof decision.deny === 'string' ? decision.deny : undefined;
  return denial(by, denialText(name, by, reason));
}
