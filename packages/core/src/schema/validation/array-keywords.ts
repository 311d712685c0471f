import type { Json } from '../../base/json.ts';
import { equalityKey } from './equality.ts';
import { evaluate, fail, inside } from './evaluate.ts';
import type { Assertion, Rule, Visit } from './evaluate.ts';
import type { Keywords, SchemaPlace } from './keyword.ts';
import { spend } from './work.ts';

/** Keywords about arrays. */
export const arrayKeywords: Keywords = {
  minItems: {
    takes: 'a whole number from 0',
    assert: (least: number) => onArrays((items, visit) => items.length >= least || fail(visit)),
  },
  maxItems: {
    takes: 'a whole number from 0',
    assert: (most: number) => onArrays((items, visit) => items.length <= most || fail(visit)),
  },
  uniqueItems: { takes: 'true or false', assert: (isAsked: boolean) => (isAsked ? onArrays(areUnique) : undefined) },
  prefixItems: { takes: 'a list of schemas', assert: byPosition },
  items: {
    takes: 'a schema or a list of schemas',
    assert: (items: Json, place) =>
      Array.isArray(items)
        ? byPosition(items, place) // until draft 2019-09
        : fromIndex(lengthOf(place.schema['prefixItems']), place.rule(items)),
  },
  additionalItems: {
    takes: 'a schema',
    assert: (rest: Json, place) => {
      const { items } = place.schema;
      return Array.isArray(items) ? fromIndex(items.length, place.rule(rest)) : undefined;
    },
  },
  contains: { takes: 'a schema', assert: contains },
  minContains: { takes: 'a whole number from 0', assert: () => undefined }, // `contains` reads both
  maxContains: { takes: 'a whole number from 0', assert: () => undefined },
};

/** Evaluated after all other keywords of its schema. */
export const unevaluatedItems: Keywords = {
  unevaluatedItems: {
    takes: 'a schema',
    assert: (rest: Json, place) => {
      const rule = place.rule(rest);
      return onArrays((items, visit) => {
        const { items: from = 0, indices } = visit.covered ?? {};
        const isValid = everyItem(items, from, (item, index) => {
          spend(visit.work, 1);
          return indices?.has(index) === true || evaluate(rule, item, inside(visit, index));
        });
        if (visit.covered !== undefined) visit.covered.items = Infinity;
        return isValid;
      });
    },
  },
};

function onArrays(holds: (items: readonly unknown[], visit: Visit) => boolean): Assertion {
  return (value, visit) => !Array.isArray(value) || holds(value, visit);
}

function lengthOf(list: Json | undefined): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Checks all items, so that every failing one is reported. */
function everyItem(items: readonly unknown[], from: number, holds: (item: unknown, index: number) => boolean): boolean {
  let isValid = true;
  for (let index = from; index < items.length; index++) isValid = holds(items[index], index) && isValid;
  return isValid;
}

function byPosition(schemas: readonly Json[], place: SchemaPlace): Assertion {
  const rules = schemas.map((schema) => place.rule(schema));
  return onArrays((items, visit) => {
    if (visit.covered !== undefined) visit.covered.items = Math.max(visit.covered.items, rules.length);
    return everyItem(items.slice(0, rules.length), 0, (item, index) =>
      evaluate(rules[index] as Rule, item, inside(visit, index)),
    );
  });
}

function fromIndex(from: number, rule: Rule): Assertion {
  return onArrays((items, visit) => {
    if (visit.covered !== undefined) visit.covered.items = Infinity;
    return everyItem(items, from, (item, index) => evaluate(rule, item, inside(visit, index)));
  });
}

function contains(schema: Json, place: SchemaPlace): Assertion {
  const { minContains: least = 1, maxContains: most = Infinity } = place.schema as Record<string, number>;
  const rule = place.rule(schema);
  return onArrays((items, visit) => {
    const matching = items.flatMap((item, index) =>
      evaluate(rule, item, { ...inside(visit, index), issues: undefined }) ? [index] : [],
    );
    for (const index of matching) visit.covered?.indices.add(index);
    const count = matching.length;
    if (count >= least && count <= most) return true;
    const wanted = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    return fail(visit, `${wanted} items of a certain form, and there are ${count}`);
  });
}

/** Compares items by content keys, so that 10,000 items take 10,000 keys instead of 50,000,000 comparisons. */
function areUnique(items: readonly unknown[], visit: Visit): boolean {
  const known = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    spend(visit.work, 1);
    const key = equalityKey(item, visit.work);
    const before = known.get(key);
    if (before !== undefined) return fail(visit, `items ${before} and ${index} are equal`);
    known.set(key, index);
  }
  return true;
}
