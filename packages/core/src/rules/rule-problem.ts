import { messageOf } from '../base/errors.ts';
import { compileRule } from './rule-matcher.ts';
import type { Rule } from './rule.ts';

/** Reason why a rule cannot be used, for an editor; undefined if it can. */
export function ruleProblem(rule: Rule): string | undefined {
  try {
    compileRule(rule);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
