import { UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { commandMatcher } from './command-matcher.ts';
import { hostMatcher } from './host-matcher.ts';
import { inputValues } from './input-values.ts';
import { allOf, anyOf } from './match.ts';
import type { Match, Matcher, Strictness } from './match.ts';
import { pathMatcher } from './path-matcher.ts';
import type { Rule, RuleCondition, RuleSubject } from './rule.ts';
import { textPattern } from './text-pattern.ts';

/** Tests whether a rule applies to a call. */
export type Test = (subject: RuleSubject) => Match;

/** Known members of rules and conditions. An unknown member may narrow the rule, so it is not ignored. */
const ruleMembers = 'decision name tool category effects openWorld when scope expires reason'.split(' ');
const conditionMembers = 'field path host command text'.split(' ');

/** Matchers of a condition, by the member that holds their patterns. */
const matchers = {
  path: (patterns, strictness) => eachOf(patterns, (pattern) => pathMatcher(pattern, strictness)),
  host: (patterns, strictness) => eachOf(patterns, (pattern) => hostMatcher(pattern, strictness)),
  command: commandMatcher,
  text: (patterns) => eachOf(patterns, (pattern) => toMatcher(textPattern(pattern))),
} satisfies Record<string, (patterns: readonly string[], strictness: Strictness) => Matcher>;

type Kind = keyof typeof matchers;

/**
 * Compiles a rule.
 *
 * @throws `invalid_input` or `EINVAL` if it is malformed: another program or a newer version may have stored it.
 */
export function compileRule(rule: Rule): Test {
  checkRule(rule);
  const isStrict = rule.decision === 'allow';
  const tests = [
    nameTest(rule, isStrict),
    listTest(rule.category, ({ category }) => category),
    listTest(rule.effects, ({ effects }) => effects),
    listTest(rule.scope?.projectId, ({ projectId }) => projectId),
    listTest(rule.scope?.principal, ({ principal }) => principal),
    ...(rule.openWorld === undefined ? [] : [(each: RuleSubject): Match => toMatch(each.openWorld === rule.openWorld)]),
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
    const isNamed = nameTest({ decision: 'deny', ...(tool !== undefined && { tool }) }, false);
    return (subject) => (isNamed?.(subject) === 'no' ? 'no' : 'unknown');
  } catch {
    return () => 'unknown';
  }
}

/** A `deny` or `ask` also matches former names of a tool; an `allow` does not. */
function nameTest({ tool }: Rule, isStrict: boolean): Test | undefined {
  if (tool === undefined) return undefined;
  const patterns = listOf(tool).map(textPattern);
  const fits = (name: string): boolean => patterns.some((each) => each(name));
  return ({ name, formerNames = [] }) => toMatch(fits(name) || (!isStrict && formerNames.some(fits)));
}

function listTest(
  wanted: string | readonly string[] | undefined,
  valueOf: (subject: RuleSubject) => string | undefined,
): Test | undefined {
  if (wanted === undefined) return undefined;
  const values = new Set<string | undefined>(listOf(wanted));
  return (subject) => toMatch(values.has(valueOf(subject)));
}

function conditionTest(condition: RuleCondition, strictness: Strictness): Test {
  const kind = (Object.keys(matchers) as Kind[]).find((each) => condition[each] !== undefined) as Kind;
  const match = matchers[kind](listOf(condition[kind] ?? []), strictness);
  const fields = listOf(condition.field);
  const combine = strictness.isStrict ? allOf : anyOf;
  return (subject) => {
    const values = fields.flatMap((field) => inputValues(subject.input, field));
    if (values.length === 0) return 'no';
    return combine(values.map((value) => matchValue(value, kind, (text) => match(text, subject))));
  };
}

function matchValue(value: Json, kind: Kind, match: (text: string) => Match): Match {
  if (typeof value === 'string') return match(value);
  return kind === 'text' && !isObject(value) ? match(String(value)) : 'unknown';
}

function eachOf(patterns: readonly string[], compile: (pattern: string) => Matcher): Matcher {
  const compiled = patterns.map(compile);
  return (value, subject) => anyOf(compiled.map((match) => match(value, subject)));
}

function toMatcher(fits: (text: string) => boolean): Matcher {
  return (value) => toMatch(fits(value));
}

function toMatch(fits: boolean): Match {
  return fits ? 'yes' : 'no';
}

function listOf<Value extends string>(value: Value | readonly Value[]): readonly Value[] {
  return typeof value === 'string' ? [value] : value;
}

function checkRule(rule: Rule): void {
  checkMembers(rule, ruleMembers);
  const { decision, tool, category, effects, openWorld, when = [], scope = {}, expires, name, reason } = rule;
  if (!['deny', 'ask', 'allow'].includes(decision)) throw invalid(`its decision is ${JSON.stringify(decision)}`);
  checkMembers(scope, ['projectId', 'principal']);
  const texts = { tool, category, effects, 'scope.projectId': scope.projectId, 'scope.principal': scope.principal };
  for (const [member, value] of Object.entries(texts)) if (value !== undefined) checkTexts(value, member);
  if (openWorld !== undefined && typeof openWorld !== 'boolean') throw invalid('`openWorld` is neither true nor false');
  if (expires !== undefined && !Number.isFinite(expires)) throw invalid('`expires` is no time');
  for (const [member, value] of Object.entries({ name, reason }))
    if (value !== undefined && typeof value !== 'string') throw invalid(`\`${member}\` is not a text`);
  if (!Array.isArray(when)) throw invalid('`when` is no list');
  for (const condition of when as readonly RuleCondition[]) checkCondition(condition);
}

function checkCondition(condition: RuleCondition): void {
  checkMembers(condition, conditionMembers);
  checkTexts(condition.field, 'field');
  const kinds = Object.keys(matchers).filter((kind) => condition[kind as Kind] !== undefined);
  if (kinds.length !== 1) throw invalid('a condition has exactly one of `path`, `host`, `command` and `text`');
  for (const kind of kinds) checkTexts(condition[kind as Kind], kind);
}

function checkMembers(value: unknown, known: readonly string[]): void {
  if (!isObject(value)) throw invalid('part of it is not an object');
  const other = Object.keys(value).find((member) => !known.includes(member));
  if (other !== undefined) throw invalid(`this version does not know \`${other}\``);
}

const mostCharacters = 1_024;

function checkTexts(value: unknown, member: string): void {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isText = (each: unknown): boolean => typeof each === 'string' && each !== '' && each.length <= mostCharacters;
  if (list.length > 0 && list.every(isText)) return;
  throw invalid(`\`${member}\` is neither a text of at most ${mostCharacters} characters nor a list of texts`);
}

function invalid(problem: string): UtensilError {
  return new UtensilError('invalid_input', `This rule cannot be used: ${problem}.`);
}
