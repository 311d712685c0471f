import { UtensilError } from '../../base/errors.ts';
import type { Question, QuestionAnswer } from '../../thread/question.ts';
import type { Principal } from '../../tool/capability.ts';
import type { Toolset } from '../../toolset/toolset.ts';
import type { Budget } from '../budget/budget.ts';
import type { Grants } from '../permission/grants.ts';
import type { Policy } from '../permission/policy.ts';
import type { RepeatGuard } from '../permission/repeats.ts';
import type { Taint } from '../taint.ts';

/** Asks people about a call. `later`: not answered yet. A function that throws cannot ask. */
export type AskPeople = (
  question: Question,
  options: { readonly signal: AbortSignal },
) => QuestionAnswer | 'later' | Promise<QuestionAnswer | 'later'>;

/** State shared by the calls of a guarded toolset: the policy, and its memory. */
export interface GuardSession {
  readonly policy: Policy;
  /** Grants that last as long as the session. */
  readonly ownGrants: Grants;
  readonly grants: Grants | undefined;
  readonly ask: AskPeople | undefined;
  readonly principal: Principal | undefined;
  readonly budget: Budget | readonly Budget[] | undefined;
  readonly repeats: RepeatGuard;
  readonly taint: Taint;
}

const mark: unique symbol = Symbol.for('@utensil/core/guard');

/** A toolset that decides about its calls: see `guard`. */
export interface GuardedToolset extends Toolset {
  readonly [mark]: GuardSession;
}

/** Session of a guarded toolset. Copies of it are guarded, too. */
export function sessionOf(toolset: Toolset): GuardSession | undefined {
  return mark in toolset ? (toolset as GuardedToolset)[mark] : undefined;
}

/** True if a toolset decides about its calls itself: it comes from `guard`, or is derived from one that does. */
export function isGuarded(toolset: Toolset): toolset is GuardedToolset {
  return sessionOf(toolset) !== undefined;
}

/** Brands a toolset, with some members replaced; the others are read at each access. */
export function withSession(toolset: Toolset, own: Partial<Toolset>, session: GuardSession): GuardedToolset {
  const members = Object.getOwnPropertyDescriptors({ ...own, [mark]: session });
  return Object.defineProperties({} as GuardedToolset, { ...Object.getOwnPropertyDescriptors(toolset), ...members });
}

/** Options by which a run decides about calls itself. */
interface OwnDecisions {
  readonly toolset: Toolset;
  readonly policy?: unknown;
  readonly grants?: unknown;
  readonly principal?: unknown;
  readonly budget?: unknown;
  readonly limits?: { readonly repeats?: unknown };
}

/** Refuses a run with a policy of its own next to a guarded toolset. */
export function checkGuarded({ toolset, policy, grants, principal, budget, limits }: OwnDecisions): void {
  if (sessionOf(toolset) === undefined) return;
  const own = Object.entries({ policy, grants, principal, budget, 'limits.repeats': limits?.repeats });
  const [found] = own.find(([, value]) => value !== undefined) ?? [];
  if (found === undefined) return;
  const problem = `This toolset is guarded, so the run has no \`${found}\` of its own: give it to \`guard\`.`;
  throw new UtensilError('invalid_option', problem);
}
