import { checkMembers, checkTexts, invalid } from './check-members.ts';
import { checkCondition, conditionTest } from './conditions.ts';
import { listOf, toMatch } from './matcher.ts';
import type { Match, Test } from './matcher.ts';
import type { Rule, RuleCondition, RuleSubject } from './rule.ts';
import { textPattern } from './text-pattern.ts';

/** Known members of rules. An unknown member may narrow the rule, so it is not ignored. */
const ruleMembers = 'decision name tool category effects openWorld when scope expires reason'.split(' ');

/**
 * Compiles a rule.
 *
 * @throws `invalid_input` or `EINVAL` if it is malformed: another program or a newer version may have stored it.
 */
export function compileRule(rule: Rule): Test {
  checkRule(rule);
  const isStrict = rule.decision === 'allow';
  const tests = [
    nameTest(rule.tool, isStrict),
    listTest(rule.openWorld, ({ openWorld }) => openWorld),
    listTest(rule.category, ({ category }) => category),
    listTest(rule.effects, ({ effects }) => effects),
    listTest(rule.scope?.projectId, ({ projectId }) => projectId),
    listTest(rule.scope?.principal, ({ principal }) => principal),
    ...(rule.when ?? []).map((condition) => conditionTest(condition, { isStrict })),
  ].filter((test) => test !== undefined);
  return (subject) => {
    let match: Match = 'yes';
    for (const test of tests) {
      const found = test(subject);
      if (found === 'no') return 'no';
      if (found === 'unknown') match = 'unknown';
    }
    return match;
  };
}

/** Test for a rule that cannot be compiled: it may apply to any call of its tools. */
export function unreadableTest({ tool }: Rule): Test {
  try {
    checkTexts(tool, 'tool');
    const isNamed = nameTest(tool, false);
    return (subject) => (isNamed?.(subject) === 'no' ? 'no' : 'unknown');
  } catch {
    return () => 'unknown';
  }
}

/** A `deny` or `ask` also matches former names of a tool; an `allow` does not. */
function nameTest(tool: Rule['tool'], isStrict: boolean): Test | undefined {
  if (tool === undefined) return undefined;
  const patterns = listOf(tool).map(textPattern);
  const fits = (name: string): boolean => patterns.some((each) => each(name));
  return ({ name, formerNames = [] }) => toMatch(fits(name) || (!isStrict && formerNames.some(fits)));
}

function listTest<Value extends string | boolean>(
  wanted: Value | readonly Value[] | undefined,
  valueOf: (subject: RuleSubject) => Value | undefined,
): Test | undefined {
  if (wanted === undefined) return undefined;
  const values = new Set<Value | undefined>(listOf(wanted));
  return (subject) => toMatch(values.has(valueOf(subject)));
}

function checkRule(rule: Rule): void {
  checkMembers(rule, ruleMembers);
  const { decision, tool, category, effects, openWorld, when = [], scope = {}, expires, name, reason } = rule;
  if (!['deny', 'ask', 'allow'].includes(decision)) throw invalid(`its decision is ${JSON.stringify(decision)}`);
  checkMembers(scope, ['projectId', 'principal']);
  const texts = { tool, category, effects, 'scope.projectId': scope.projectId, 'scope.principal': scope.principal };
  for (const [member, value] of Object.entries(texts)) if (value !== undefined) checkTexts(value, member);
  if (openWorld !== undefined && typeof openWorld !== 'boolean') throw invalid('`openWorld` is neither true nor false');
  if (expires !== undefined && !Number.isFinite(expires)) throw invalid('`expires` is not a time');
  for (const [member, value] of Object.entries({ name, reason }))
    if (value !== undefined && typeof value !== 'string') throw invalid(`\`${member}\` is not a text`);
  if (!Array.isArray(when)) throw invalid('`when` is not a list');
  for (const condition of when as readonly RuleCondition[]) checkCondition(condition);
}
