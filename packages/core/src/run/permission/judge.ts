import { messageForModel } from '../../base/host-paths.ts';
import { messageOf } from '../../base/errors.ts';
import { orElse, whenReady } from '../../base/eventually.ts';
import type { Eventually } from '../../base/eventually.ts';
import { isObject } from '../../base/json.ts';
import type { PreparedCall } from '../../call/prepare.ts';
import type { Principal } from '../../tool/capability.ts';
import type { ToolResult } from '../../tool/result.ts';
import type { RunEventBody } from '../../tool/run-event.ts';
import type { Granted, Grants } from './grants.ts';
import { grantOf } from './grants.ts';
import { denied, outgrowsGrants } from './policy.ts';
import type { AskWhy, Decision, Policy, PolicyRequest } from './policy.ts';
import type { Verdict } from '../loop/state.ts';

/** The parties that decide about a call. */
export interface Judge {
  readonly policy: Policy;
  /** True if somebody can be asked. */
  readonly interactive: boolean;
  readonly projectId: string;
  readonly principal: Principal | undefined;
  /** Grants of this run, and of the project. */
  readonly grants: readonly Grants[];
  /** As it is now. */
  readonly taint: { readonly isTainted: boolean };
  emit(body: RunEventBody): void;
}

/** State of one call from before an interruption. */
export interface EarlierDecision {
  /** There is an answer already. */
  readonly isAnswered: boolean;
  /** True if the user had allowed this call. */
  readonly isApproved?: (() => Promise<Granted>) | undefined;
}

/** A call that is allowed, asked about or denied. */
export interface CallUnderReview {
  readonly callId: string;
  readonly ready: PreparedCall;
}

/** Decides about a prepared call. A policy that throws denies. */
export function judge(
  judging: Judge,
  call: CallUnderReview,
  { isAnswered, isApproved }: EarlierDecision = { isAnswered: false },
): Eventually<Verdict> {
  const { ready } = call;
  const interactive = judging.interactive || isAnswered;
  if (ready.refusal !== undefined) return { result: ready.refusal };
  if (judging.policy === allowAll) return allowed(interactive, ready);
  const request = requestOf(judging, call);
  return whenReady(decisionOf(judging, request), (decision) => {
    if (isDenial(decision)) return { result: denialBy(ready.name, decision) };
    if (decision === 'allow' || needsNoQuestion(ready)) return allowed(interactive, ready);
    const why = decision === 'ask' ? {} : decision;
    return isPermitted(judging, request, { ...why, isApproved }).then((isAllowed) =>
      isAllowed ? allowed(interactive, ready) : asked(interactive, ready, why),
    );
  });
}

/** Policy of a run that has none. */
export const allowAll: Policy = () => 'allow';

function allowed(interactive: boolean, ready: PreparedCall): Verdict {
  return ready.clientAnswers ? asked(interactive, ready, {}) : 'allow';
}

function asked(
  interactive: boolean,
  { name, clientAnswers }: PreparedCall,
  { ask: reason, eachTime = false }: Partial<AskWhy>,
): Verdict {
  if (!interactive) return { result: denied(name, 'nobody') };
  const question = clientAnswers ? 'input' : 'approval'; // who gives its output has seen the call
  return { ask: question, ...(reason !== undefined && { reason }), ...(eachTime && { eachTime }) };
}

/** Decision of the policy about a call that a person has allowed. */
export interface JudgedAgain {
  /** The result if it denies the call by now. */
  readonly refused?: ToolResult;
  /** The answer counts for this call alone. */
  readonly eachTime: boolean;
}

/** Asks the policy again, with the current input of the call. */
export async function judgeAgain(judging: Omit<Judge, 'interactive'>, call: CallUnderReview): Promise<JudgedAgain> {
  const decision = await decisionOf(judging, requestOf(judging, call));
  if (isDenial(decision)) return { refused: denialBy(call.ready.name, decision), eachTime: true };
  return { eachTime: isObject(decision) && (decision as Partial<AskWhy>).eachTime === true };
}

function requestOf(
  { taint, projectId, principal }: Pick<Judge, 'taint' | 'projectId' | 'principal'>,
  { callId, ready }: CallUnderReview,
): PolicyRequest {
  const { name, formerNames, category, input, title, effects, openWorld, idempotent, foreign } = ready;
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
    toolFingerprint: ready.toolFingerprint ?? '',
    ...(foreign === true && { foreign }),
    tainted: taint.isTainted,
  };
}

function decisionOf({ policy }: Pick<Judge, 'policy'>, request: PolicyRequest): Eventually<Decision> {
  return orElse(
    () => policy(request),
    (error) => ({ deny: `the policy failed: ${messageForModel(error)}` }),
  );
}

type Denial = Extract<Decision, 'deny' | { readonly deny: string }>;

/** A value that is not a decision denies. */
export function isDenial(decision: Decision): decision is Denial {
  if (typeof decision === 'string') return decision !== 'allow' && decision !== 'ask';
  return !isObject(decision) || typeof (decision as Partial<AskWhy>).ask !== 'string';
}

/** Part of how the app works, and changes nothing: nobody is asked about it, but a policy may deny it. */
function needsNoQuestion({ internal = false, effects }: PreparedCall): boolean {
  return internal && effects === 'read';
}

/** True if the user has permitted the call before. Emits the reason why a stored permission does not count. */
async function isPermitted(
  { grants, emit }: Judge,
  request: PolicyRequest,
  { eachTime = false, isApproved }: Partial<AskWhy> & Pick<EarlierDecision, 'isApproved'>,
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

/** A permission that cannot be read counts as absent. */
async function granting(check: () => Granted | Promise<Granted>): Promise<Granted> {
  try {
    return await check();
  } catch (error) {
    return { ignored: `it cannot be checked: ${messageOf(error)}` };
  }
}

function denialBy(name: string, decision: Denial): ToolResult {
  return denied(name, 'policy', isObject(decision) && typeof decision.deny === 'string' ? decision.deny : undefined);
}
