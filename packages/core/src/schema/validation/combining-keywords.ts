import type { Json, JsonObject } from '../../base/json.ts';
import { cover, evaluate, fail, quietly } from './evaluate.ts';
import type { Assertion, Rule } from './evaluate.ts';
import type { Keywords, SchemaPlace } from './keyword.ts';
import { has, objectKeywords, onObjects } from './object-keywords.ts';
import { spend } from './work.ts';

/** Keywords that apply schemas to the same value. */
export const combiningKeywords: Keywords = {
  $ref: { takes: 'a string', assert: (reference: string, place) => all([place.target(reference)]) },
  allOf: { takes: 'a list of schemas', assert: (schemas: readonly Json[], place) => all(rulesOf(schemas, place)) },
  anyOf: { takes: 'a list of schemas', assert: (schemas: readonly Json[], place) => anyOf(rulesOf(schemas, place)) },
  oneOf: { takes: 'a list of schemas', assert: (schemas: readonly Json[], place) => oneOf(rulesOf(schemas, place)) },
  not: { takes: 'a schema', assert: (schema: Json, place) => not(place.sameValue(schema)) },
  if: { takes: 'a schema', assert: conditional },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { takes: 'a schema', assert: () => undefined }, // `if` reads both
  else: { takes: 'a schema', assert: () => undefined },
  dependentSchemas: { takes: 'an object of schemas', assert: dependentSchemas },
  dependencies: {
    takes: 'an object of schemas or lists of strings', // until draft 7
    assert: (dependencies: JsonObject, place) => {
      const entries = Object.entries(dependencies);
      const lists = Object.fromEntries(entries.filter(([, each]) => Array.isArray(each)));
      const schemas = Object.fromEntries(entries.filter(([, each]) => !Array.isArray(each)));
      const hasNames = objectKeywords['dependentRequired']?.assert(lists as never, place);
      const satisfies = dependentSchemas(schemas, place);
      return (value, visit) => [hasNames?.(value, visit), satisfies(value, visit)].every((each) => each !== false);
    },
  },
};

function rulesOf(schemas: readonly Json[], place: SchemaPlace): readonly Rule[] {
  return schemas.map((schema) => place.sameValue(schema));
}

function all(rules: readonly Rule[]): Assertion {
  return (value, visit) => {
    let isValid = true;
    for (const rule of rules) isValid = evaluate(rule, value, visit) && isValid;
    return isValid;
  };
}

/** The union is a single issue, without those of its alternatives. */
function anyOf(rules: readonly Rule[]): Assertion {
  return (value, visit) => {
    let isValid = false;
    for (const rule of rules) {
      const alternative = quietly(visit);
      if (!evaluate(rule, value, alternative)) continue;
      cover(visit, alternative);
      isValid = true;
      if (visit.covered === undefined) break; // otherwise every matching alternative contributes its coverage
    }
    return isValid || fail(visit);
  };
}

function oneOf(rules: readonly Rule[]): Assertion {
  return (value, visit) => {
    const fitting: number[] = [];
    for (const [index, rule] of rules.entries()) {
      const alternative = quietly(visit);
      if (!evaluate(rule, value, alternative)) continue;
      fitting.push(index + 1);
      if (fitting.length > 1) return fail(visit, `fits alternatives ${fitting.join(' and ')}, where only one may fit`);
      cover(visit, alternative);
    }
    return fitting.length === 1 || fail(visit);
  };
}

function not(rule: Rule): Assertion {
  return (value, visit) => !evaluate(rule, value, quietly(visit)) || fail(visit, 'has a form that is excluded');
}

function conditional(condition: Json, place: SchemaPlace): Assertion {
  const { then: consequence, else: alternative } = place.schema;
  const rule = place.sameValue(condition);
  const onSuccess = consequence === undefined ? undefined : place.sameValue(consequence);
  const onFailure = alternative === undefined ? undefined : place.sameValue(alternative);
  return (value, visit) => {
    const trial = quietly(visit);
    const holds = evaluate(rule, value, trial);
    if (holds) cover(visit, trial);
    const next = holds ? onSuccess : onFailure;
    return next === undefined || evaluate(next, value, visit);
  };
}

function dependentSchemas(schemas: JsonObject, place: SchemaPlace): Assertion {
  const rules = Object.entries(schemas).map(([name, schema]) => [name, place.sameValue(schema)] as const);
  return onObjects((object, visit) => {
    spend(visit.work, rules.length);
    let isValid = true;
    for (const [name, rule] of rules) if (has(object, name)) isValid = evaluate(rule, object, visit) && isValid;
    return isValid;
  });
}
