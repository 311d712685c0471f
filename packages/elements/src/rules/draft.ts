import { ruleProblem } from '@utensil/core/guard';
import type { Rule, RuleCondition } from '@utensil/core/guard';

/** Kinds of patterns for input fields. */
export const patternKinds = ['path', 'host', 'command', 'text'] as const;

/** One of {@link patternKinds}. */
export type PatternKind = (typeof patternKinds)[number];

/** A rule being edited. */
export interface RuleDraft {
  readonly decision: Rule['decision'];
  /** Tool names, separated by commas; empty for all. */
  readonly tool: string;
  readonly category: string;
  readonly effects: '' | 'read' | 'write' | 'destructive';
  readonly kind: '' | PatternKind;
  /** Names of input fields, separated by commas. */
  readonly fields: string;
  /** One per line. */
  readonly patterns: string;
  /** Value of an `<input type="datetime-local">`; empty for no end. */
  readonly until: string;
}

/** Problem of a draft, and its field. */
export interface DraftProblem {
  readonly at: 'fields' | 'patterns' | 'until' | 'tool';
  readonly problem: 'missing' | 'malformed' | 'past';
  /** The malformed text. */
  readonly value: string;
}

/** A new rule. */
export const emptyDraft: RuleDraft = {
  decision: 'ask',
  tool: '',
  category: '',
  effects: '',
  kind: '',
  fields: '',
  patterns: '',
  until: '',
};

/** Usual names of input fields. */
export const usualFields: Readonly<Record<PatternKind, string>> = {
  path: 'path, paths',
  host: 'url',
  command: 'command',
  text: '',
};

/** Members of a rule that a draft lacks and that are preserved. */
type Rest = Pick<Rule, 'name' | 'reason'>;

/** Converts a draft to a rule. */
export function toRule(draft: RuleDraft, { name, reason }: Rest = {}): Rule {
  const { decision, effects, kind, until } = draft;
  const [tool, category, field] = [draft.tool, draft.category, draft.fields].map((text) =>
    oneOrList(listed(text, ',')),
  );
  const condition = kind !== '' && { field: field ?? '', [kind]: oneOrList(listed(draft.patterns, '\n')) ?? '' };
  return {
    decision,
    ...(name !== undefined && { name }),
    ...(tool !== undefined && { tool }),
    ...(category !== undefined && { category }),
    ...(effects !== '' && { effects }),
    ...(condition && { when: [condition] }),
    ...(until !== '' && { expires: new Date(until).getTime() }),
    ...(reason !== undefined && { reason }),
  };
}

/** Converts a rule to a draft; undefined if the rule has members that a draft would lose. */
export function toDraft(rule: Rule): RuleDraft | undefined {
  if (ruleProblem(rule) !== undefined) return undefined;
  const { decision, tool, category, effects, when = [], expires } = rule;
  const [condition] = when;
  const kind = condition && patternKinds.find((each) => condition[each] !== undefined);
  const draft: RuleDraft = {
    ...emptyDraft,
    decision,
    tool: joined(tool, ', '),
    category: joined(category, ', '),
    effects: typeof effects === 'string' ? effects : '',
    ...(condition && kind && { kind, fields: joined(condition.field, ', '), patterns: joined(condition[kind], '\n') }),
    ...(expires !== undefined && { until: localTime(expires) }),
  };
  return isSame(toRule(draft, rule), rule) ? draft : undefined;
}

/** Problem of a draft; undefined if it is valid. Later fields are reported first. */
export function draftProblem(draft: RuleDraft, now: number): DraftProblem | undefined {
  const { kind, until } = draft;
  const malformed = (at: DraftProblem['at'], value: string): DraftProblem => ({ at, problem: 'malformed', value });
  if (kind !== '') {
    const patterns = listed(draft.patterns, '\n');
    const bad = patterns.find((pattern) => isMalformed(draft, { field: 'x', [kind]: pattern }));
    if (bad !== undefined) return malformed('patterns', bad);
    if (patterns.length === 0) return { at: 'patterns', problem: 'missing', value: '' };
    if (listed(draft.fields, ',').length === 0) return { at: 'fields', problem: 'missing', value: '' };
  }
  const end = new Date(until).getTime();
  if (until !== '' && Number.isNaN(end)) return malformed('until', until);
  if (end <= now) return { at: 'until', problem: 'past', value: until };
  return ruleProblem(toRule(draft)) === undefined ? undefined : malformed('tool', draft.tool);
}

function isMalformed({ decision }: RuleDraft, condition: RuleCondition): boolean {
  return ruleProblem({ decision, when: [condition] }) !== undefined;
}

function listed(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((each) => each.trim())
    .filter(Boolean);
}

function oneOrList(values: readonly string[]): string | readonly string[] | undefined {
  return values.length > 1 ? values : values[0];
}

function joined(values: string | readonly string[] | undefined, separator: string): string {
  return values === undefined ? '' : [values].flat().join(separator);
}

/** To the minute, in the browser's time zone. Seconds cannot be typed. */
function localTime(time: number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const shifted = new Date(time - date.getTimezoneOffset() * 60_000);
  return shifted
    .toISOString()
    .replace('Z', '')
    .replace(/:00\.000$/, '')
    .replace(/\.000$/, '');
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** Normal form: single-element lists become their element, and members are sorted. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (key, each: unknown) => {
    if (Array.isArray(each)) return each.length === 1 && key !== 'when' ? (each[0] as unknown) : each;
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
