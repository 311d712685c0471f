import { UtensilError } from '../base/errors.ts';
import type { Question, QuestionAnswer } from '../thread/question.ts';
import type { Principal } from '../tool/capability.ts';
import type { Toolset } from '../toolset/toolset.ts';
import type { Budget } from './budget/budget.ts';
import type { Grants } from './grants.ts';
import type { Policy } from './policy.ts';
import type { RepeatGuard } from './repeats.ts';
import type { Taint } from './taint.ts';

/** Asks people about a call. `later`: they have not answered yet. One who throws cannot ask. */
export type AskPeople = (
  question: Question,
  options: { readonly signal: AbortSignal },
) => QuestionAnswer | 'later' | Promise<QuestionAnswer | 'later'>;

/** What the calls of a guarded toolset share: who decides, and what they have left behind. */
export interface GuardSession {
  readonly policy: Policy;
  /** Grants for as long as the session lasts. */
  readonly ownGrants: Grants;
  readonly grants: Grants | undefined;
  readonly ask: AskPeople | undefined;
  readonly principal: Principal | undefined;
  readonly budget: Budget | readonly Budget[] | undefined;
  readonly repeats: RepeatGuard;
  readonly taint: Taint;
}

const mark: unique symbol = Symbol.for('@utensil/core/guard');

/** A toolset whose calls are decided over: see `guard`. */
export interface GuardedToolset extends Toolset {
  readonly [mark]: GuardSession;
}

/** The session of a toolset that is guarded. Copies of one are guarded too. */
export function sessionOf(toolset: Toolset): GuardSession | undefined {
  return mark in toolset ? (toolset as GuardedToolset)[mark] : undefined;
}

/** True if a toolset decides over its calls itself: it is one of `guard`, or derived from one. */
export function isGuarded(toolset: Toolset): toolset is GuardedToolset {
  return sessionOf(toolset) !== undefined;
}

/** Brands a toolset, with members of its own; the others stay what they are at each moment. */
export function withSession(toolset: Toolset, own: Partial<Toolset>, session: GuardSession): GuardedToolset {
  const members = Object.getOwnPropertyDescriptors({ ...own, [mark]: session });
  return Object.defineProperties({} as GuardedToolset, { ...Object.getOwnPropertyDescriptors(toolset), ...members });
}

/** Options by which a run decides over calls itself. */
interface OwnDecisions {
  readonly toolset: Toolset;
  readonly policy?: unknown;
  readonly grants?: unknown;
  readonly principal?: unknown;
  readonly budget?: unknown;
  readonly limits?: { readonly repeats?: unknown };
}

/** Refuses a run that would decide beside the guard of its toolset. */
export function checkGuarded({ toolset, policy, grants, principal, budget, limits }: OwnDecisions): void {
  if (sessionOf(toolset) === undefined) return;
  const own = Object.entries({ policy, grants, principal, budget, 'limits.repeats': limits?.repeats });
  const [found] = own.find(([, value]) => value !== undefined) ?? [];
  if (found === undefined) return;
  const problem = `This toolset is guarded, so the run has no \`${found}\` of its own: give it to \`guard\`.`;
  throw new UtensilError('invalid_option', problem);
}
