import { ruleProblem } from '@utensil/core/guard';
import type { Rule, RuleCondition } from '@utensil/core/guard';

/** What the values of an input field are compared with. */
export const patternKinds = ['path', 'host', 'command', 'text'] as const;

/** One of {@link patternKinds}. */
export type PatternKind = (typeof patternKinds)[number];

/** A rule as it is typed. */
export interface RuleDraft {
  readonly decision: Rule['decision'];
  /** Names of tools, with commas between them; empty: all. */
  readonly tool: string;
  readonly category: string;
  readonly effects: '' | 'read' | 'write' | 'destructive';
  readonly kind: '' | PatternKind;
  /** Names of input fields, with commas between them. */
  readonly fields: string;
  /** One a line. */
  readonly patterns: string;
  /** As an `<input type="datetime-local">` has it; empty: no end. */
  readonly until: string;
}

/** Why a draft is no rule, and where. */
export interface DraftProblem {
  readonly at: 'fields' | 'patterns' | 'until' | 'tool';
  readonly problem: 'missing' | 'malformed' | 'past';
  /** What is malformed. */
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

/** Fields of an input that most tools name so. */
export const usualFields: Readonly<Record<PatternKind, string>> = {
  path: 'path, paths',
  host: 'url',
  command: 'command',
  text: '',
};

/** What of a rule is not in its draft, and stays as it is. */
type Rest = Pick<Rule, 'name' | 'reason'>;

/** The rule of a draft. */
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

/** The draft of a rule; undefined if it says more than a draft can: it is not edited, as that would be lost. */
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

/** What is wrong with a draft; undefined if it is a rule. What is typed last is named first. */
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

/** To the minute, in the time zone of the browser. Seconds are not typed. */
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

/** A list of one is what it lists, and the order of members makes no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (key, each: unknown) => {
    if (Array.isArray(each)) return each.length === 1 && key !== 'when' ? (each[0] as unknown) : each;
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
