import type { Rule } from '@utensil/core/guard';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { draftProblem, emptyDraft, patternKinds, toDraft, toRule } from './draft.ts';
import type { RuleDraft } from './draft.ts';

const noon = Date.UTC(2026, 10, 23, 12);

const word = fc.stringMatching(/^[a-z][a-z0-9_*]{0,8}$/);
const words = fc.oneof(word, fc.array(word, { minLength: 1, maxLength: 3 }));
const condition = fc
  .tuple(fc.constantFrom(...patternKinds.filter((kind) => kind !== 'host')), words, words)
  .map(([kind, field, patterns]) => ({ field, [kind]: patterns }));
const rules: fc.Arbitrary<Rule> = fc.record(
  {
    decision: fc.constantFrom('deny' as const, 'ask' as const, 'allow' as const),
    name: fc.string(),
    tool: words,
    category: words,
    effects: fc.constantFrom('read' as const, 'write' as const, 'destructive' as const),
    when: fc.tuple(condition),
    expires: fc.integer({ min: 0, max: 4e12 }),
    reason: fc.string(),
  },
  { requiredKeys: ['decision'] },
);

it('whatever rule is edited and saved unchanged is the same rule', () => {
  fc.assert(
    fc.property(rules, (rule) => {
      const draft = toDraft(rule);
      expect(draft).toBeDefined();
      expect(toDraft(toRule(draft as RuleDraft, rule))).toEqual(draft);
      expect(toRule(draft as RuleDraft, rule).expires).toBe(rule.expires);
    }),
  );
});

it.each<[string, unknown]>([
  [
    'two conditions',
    {
      decision: 'deny',
      when: [
        { field: 'a', text: 'x' },
        { field: 'b', text: 'y' },
      ],
    },
  ],
  ['a scope', { decision: 'deny', scope: { principal: 'ada' } }],
  ['the world outside', { decision: 'deny', openWorld: true }],
  ['several effects', { decision: 'ask', effects: ['write', 'destructive'] }],
  ['a comma in a name', { decision: 'ask', tool: 'a,b' }],
  ['a line break in a pattern', { decision: 'ask', when: [{ field: 'a', text: 'x\ny' }] }],
  ['what a newer version knows', { decision: 'ask', unless: 1 }],
  ['nothing that can be read', undefined],
])('is not edited where it has %s, which the form would lose', (_, rule) => {
  expect(toDraft(rule as Rule)).toBeUndefined();
});

it.each<[string, Partial<RuleDraft>, object | undefined]>([
  ['a rule for all calls', {}, undefined],
  ['hosts', { kind: 'host', fields: 'url', patterns: 'example.com\n*.example.org' }, undefined],
  [
    'an address for a host',
    { kind: 'host', fields: 'url', patterns: 'a.test\nhttps://b.test/' },
    { at: 'patterns', problem: 'malformed', value: 'https://b.test/' },
  ],
  [
    'a path of another system',
    { kind: 'path', fields: 'path', patterns: 'a\\b' },
    { at: 'patterns', problem: 'malformed', value: 'a\\b' },
  ],
  [
    'an open bracket',
    { kind: 'path', fields: 'path', patterns: '[a' },
    { at: 'patterns', problem: 'malformed', value: '[a' },
  ],
  [
    'no pattern',
    { kind: 'command', fields: 'command', patterns: ' \n ' },
    { at: 'patterns', problem: 'missing', value: '' },
  ],
  ['no field', { kind: 'text', fields: ' , ', patterns: 'x' }, { at: 'fields', problem: 'missing', value: '' }],
  ['an end that is over', { until: '2020-01-01T00:00' }, { at: 'until', problem: 'past', value: '2020-01-01T00:00' }],
  ['an end that is none', { until: 'tomorrow' }, { at: 'until', problem: 'malformed', value: 'tomorrow' }],
  ['a name without end', { tool: 'x'.repeat(2_000) }, { at: 'tool', problem: 'malformed', value: 'x'.repeat(2_000) }],
])('says what is wrong with %s', (_, typed, problem) => {
  expect(draftProblem({ ...emptyDraft, ...typed }, noon)).toEqual(problem);
});
