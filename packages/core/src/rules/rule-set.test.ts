import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileRules } from './rule-set.ts';
import { ruleLayers } from './rule.ts';
import type { Rule, RuleLayer, RuleSubject } from './rule.ts';

const subject: RuleSubject = { name: 'a', effects: 'write', openWorld: false, input: { path: 'src/a', odd: 1 } };

/** Rules that are about the call, that are not, and of which nobody can tell. */
const about = fc.constantFrom<Omit<Rule, 'decision'>>(
  {},
  { tool: 'a' },
  { tool: 'b' },
  { when: [{ field: 'path', path: 'src/**' }] },
  { when: [{ field: 'path', path: 'lib/**' }] },
  { when: [{ field: 'odd', path: 'src/**' }] },
  { expires: 0 },
);
const rule: fc.Arbitrary<Rule> = fc
  .tuple(about, fc.constantFrom('deny', 'ask', 'allow'))
  .map(([rest, decision]) => ({ ...rest, decision }));
const layered = fc.record({
  admin: fc.array(rule, { maxLength: 4 }),
  user: fc.array(rule, { maxLength: 4 }),
  project: fc.array(rule, { maxLength: 4 }),
});

/** Decision of a single rule about the call. */
function alone(each: Rule): 'deny' | 'ask' | 'allow' | 'unsure' | 'none' {
  const found = compileRules([each]).explain(subject, 1);
  return found === undefined ? 'none' : found.isUncertain ? 'unsure' : found.decision;
}

it('whatever rules there are, the same one decides: deny, then the admin, then the user, then the project', () => {
  fc.assert(
    fc.property(layered, (layers) => {
      const all = ruleLayers.flatMap((layer) => layers[layer].map((each) => ({ layer, says: alone(each), ...each })));
      const has = (says: string, layer?: RuleLayer, decision?: string): boolean =>
        all.some(
          (each) =>
            each.says === says &&
            (layer === undefined || each.layer === layer) &&
            (decision === undefined || each.decision === decision),
        );
      const asks = (layer: RuleLayer): boolean => has('ask', layer) || has('unsure', layer, 'ask');
      const expected = (): string | undefined => {
        if (has('deny')) return 'deny';
        if (has('unsure', undefined, 'deny') || asks('admin')) return 'ask';
        for (const layer of ['user', 'project'] as const) {
          if (asks(layer)) return 'ask';
          if (has('allow', layer)) return 'allow';
        }
        if (has('allow')) return 'allow';
        return has('unsure') ? 'ask' : undefined;
      };
      expect(compileRules(layers).explain(subject, 1)?.decision).toBe(expected());
    }),
    { numRuns: 3000 },
  );
});

it('rules of users and projects never loosen what the admin denies or asks about', () => {
  const looseness = { deny: 0, ask: 1, allow: 2 };
  fc.assert(
    fc.property(layered, (layers) => {
      const admin = layers.admin.filter(({ decision }) => decision !== 'allow');
      const before = compileRules({ admin }).explain(subject, 1)?.decision;
      if (before === undefined) return;
      const after = compileRules(layers).explain(subject, 1)?.decision ?? 'allow';
      expect(looseness[after]).toBeLessThanOrEqual(looseness[before]);
    }),
    { numRuns: 3000 },
  );
});

it('the order of the rules in a layer makes no difference', () => {
  fc.assert(
    fc.property(layered, (layers) => {
      const turned = {
        admin: layers.admin.toReversed(),
        user: layers.user.toReversed(),
        project: layers.project.toReversed(),
      };
      const [one, other] = [layers, turned].map((each) => compileRules(each).explain(subject, 1)?.decision);
      expect(one).toBe(other);
    }),
    { numRuns: 1000 },
  );
});
