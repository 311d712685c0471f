import type { RuleSubject } from './rule.ts';

/** Whether something fits; `unknown` if nobody can tell. */
export type Match = 'yes' | 'no' | 'unknown';

/** Fits a value of a call's input. */
export type Matcher = (value: string, subject: RuleSubject) => Match;

/**
 * The way in which a matcher errs. An `allow` is strict: what fits does so for certain. A `deny` and an `ask` are not: what
 * does not fit does not for certain.
 */
export interface Strictness {
  readonly isStrict: boolean;
}

/** `yes` if one is. */
export function anyOf(matches: readonly Match[]): Match {
  if (matches.includes('yes')) return 'yes';
  return matches.includes('unknown') ? 'unknown' : 'no';
}

/** `yes` if all are. */
export function allOf(matches: readonly Match[]): Match {
  if (matches.includes('no')) return 'no';
  return matches.includes('unknown') ? 'unknown' : 'yes';
}
