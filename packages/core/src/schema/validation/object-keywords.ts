import { isObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { evaluate, fail, inside } from './evaluate.ts';
import type { Assertion, Rule, Visit } from './evaluate.ts';
import type { Keywords, SchemaPlace } from './keyword.ts';
import type { Matcher } from './pattern/matcher.ts';
import { spend } from './work.ts';

/** Keywords about objects. An undefined member counts as absent, as in JSON. */
export const objectKeywords: Keywords = {
  minProperties: {
    takes: 'a whole number from 0',
    assert: (least: number) => hasCount((count) => count >= least, `at least ${least}`),
  },
  maxProperties: {
    takes: 'a whole number from 0',
    assert: (most: number) => hasCount((count) => count <= most, `at most ${most}`),
  },
  required: {
    takes: 'a list of strings',
    assert: (names: readonly string[]) => onObjects((object, visit) => hasAll(object, names, visit)),
  },
  dependentRequired: { takes: 'an object of lists of strings', assert: dependentRequired },
  propertyNames: {
    takes: 'a schema',
    assert: (schema: Json, place) => {
      const rule = place.rule(schema);
      return onMembers(({ name }, visit) => {
        const isValid = evaluate(rule, name, { ...inside(visit, name), issues: undefined });
        return isValid || fail(visit, `no field may be called ${JSON.stringify(name.slice(0, 100))}`);
      });
    },
  },
  properties: {
    takes: 'an object of schemas',
    assert: (properties: JsonObject, place) => {
      const rules = new Map(Object.entries(properties).map(([name, schema]) => [name, place.rule(schema)]));
      return onMembers((member, visit) => {
        const rule = rules.get(member.name);
        return rule === undefined || covering(rule, member, visit);
      });
    },
  },
  patternProperties: {
    takes: 'an object of schemas',
    assert: (properties: JsonObject, place) => {
      const rules = Object.entries(properties).map(([source, schema]) => ({
        matches: place.pattern(source),
        rule: place.rule(schema),
      }));
      return onMembers((member, visit) => {
        let isValid = true;
        for (const { matches, rule } of rules) {
          if (matches(member.name, visit.work)) isValid = covering(rule, member, visit) && isValid;
        }
        return isValid;
      });
    },
  },
  additionalProperties: { takes: 'a schema', assert: additionalProperties },
};

/** Evaluated after all other keywords of its schema. */
export const unevaluatedProperties: Keywords = {
  unevaluatedProperties: {
    takes: 'a schema',
    assert: (rest: Json, place) => {
      const rule = place.rule(rest);
      return onMembers(
        (member, visit) => visit.covered?.names.has(member.name) === true || covering(rule, member, visit),
      );
    },
  },
};

type Members = Readonly<Record<string, unknown>>;

interface Member {
  readonly name: string;
  readonly value: unknown;
}

export function onObjects(holds: (object: Members, visit: Visit) => boolean): Assertion {
  return (value, visit) => !isObject(value) || holds(value, visit);
}

function hasCount(fits: (count: number) => boolean, wanted: string): Assertion {
  return onObjects((object, visit) => {
    const count = namesOf(object, visit).length;
    return fits(count) || fail(visit, `${wanted} fields, and there are ${count}`);
  });
}

/** Checks all members, so that every failing one is reported. */
function onMembers(holds: (member: Member, visit: Visit) => boolean): Assertion {
  return onObjects((object, visit) => {
    let isValid = true;
    for (const name of namesOf(object, visit)) isValid = holds({ name, value: object[name] }, visit) && isValid;
    return isValid;
  });
}

function namesOf(object: Members, { work }: Visit): readonly string[] {
  const names = Object.keys(object);
  spend(work, names.length);
  return names.filter((name) => object[name] !== undefined);
}

/** True if an object has a member, which an undefined one is not. */
export function has(object: Members, name: string): boolean {
  return Object.hasOwn(object, name) && object[name] !== undefined;
}

function hasAll(object: Members, names: readonly string[], visit: Visit): boolean {
  spend(visit.work, names.length);
  let isValid = true;
  for (const name of names) if (!has(object, name)) isValid = fail(visit, undefined, name);
  return isValid;
}

function covering(rule: Rule, { name, value }: Member, visit: Visit): boolean {
  visit.covered?.names.add(name);
  return evaluate(rule, value, inside(visit, name));
}

function dependentRequired(dependencies: Readonly<Record<string, readonly string[]>>): Assertion {
  const entries = Object.entries(dependencies);
  return onObjects((object, visit) => {
    spend(visit.work, entries.length);
    let isValid = true;
    for (const [name, needed] of entries) {
      if (has(object, name)) isValid = hasAll(object, needed, visit) && isValid;
    }
    return isValid;
  });
}

function additionalProperties(rest: Json, place: SchemaPlace): Assertion {
  const rule = place.rule(rest);
  const { properties, patternProperties } = place.schema;
  const named = new Set(isObject(properties) ? Object.keys(properties) : []);
  const patterns: readonly Matcher[] = isObject(patternProperties)
    ? Object.keys(patternProperties).map((source) => place.pattern(source))
    : [];
  return onMembers((member, visit) => {
    const isNamed = named.has(member.name) || patterns.some((matches) => matches(member.name, visit.work));
    return isNamed || covering(rule, member, visit);
  });
}
