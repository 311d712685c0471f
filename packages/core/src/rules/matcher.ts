import type { RuleSubject } from './rule.ts';

/** Outcome of a match; `unknown` if it cannot be determined. */
export type Match = 'yes' | 'no' | 'unknown';

/** Matches a value of a call's input. */
export type Matcher = (value: string, subject: RuleSubject) => Match;

/**
 * Direction in which a matcher errs. An `allow` is strict: a match is certain. A `deny` or an `ask` is not: a mismatch
 * is certain.
 */
export interface Strictness {
  readonly isStrict: boolean;
}

/** `yes` if any is. */
export function anyOf(matches: readonly Match[]): Match {
  if (matches.includes('yes')) return 'yes';
  return matches.includes('unknown') ? 'unknown' : 'no';
}

/** `yes` if all are. */
export function allOf(matches: readonly Match[]): Match {
  if (matches.includes('no')) return 'no';
  return matches.includes('unknown') ? 'unknown' : 'yes';
}

/** Tests whether a rule or condition applies to a call. */
export type Test = (subject: RuleSubject) => Match;

/** A certain match or mismatch. */
export function toMatch(fits: boolean): Match {
  return fits ? 'yes' : 'no';
}

/** The values of a member that takes one or several. */
export function listOf<Value extends string | boolean>(value: Value | readonly Value[]): readonly Value[] {
  return typeof value === 'object' ? value : [value];
}
