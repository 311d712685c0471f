import { isObject } from '../../base/json.ts';
import type { Json, JsonObject, JsonSchema } from '../../base/json.ts';
import type { SchemaCheck, SchemaIssue } from '../schema.ts';
import { assertBounded } from '../walk.ts';
import { arrayKeywords, unevaluatedItems } from './array-keywords.ts';
import { combiningKeywords } from './combining-keywords.ts';
import { readDocument, refuseSchema } from './document.ts';
import type { SchemaDocument } from './document.ts';
import { evaluate, fail } from './evaluate.ts';
import type { Assertion, Rule } from './evaluate.ts';
import type { FormatCheck } from './formats.ts';
import { hasShape } from './keyword.ts';
import type { Keyword, Keywords, SchemaPlace } from './keyword.ts';
import { refuseLoops } from './loops.ts';
import { objectKeywords, unevaluatedProperties } from './object-keywords.ts';
import { toMatcher } from './pattern/matcher.ts';
import type { Matcher } from './pattern/matcher.ts';
import { scalarKeywords } from './scalar-keywords.ts';
import { newWork } from './work.ts';

/** Keywords that depend on the coverage of the others. */
const lastKeywords: Keywords = { ...unevaluatedItems, ...unevaluatedProperties };

const inOrder: readonly (readonly [name: string, Keyword])[] = Object.entries({
  ...scalarKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...combiningKeywords,
  ...lastKeywords,
});

/** Asserted formats, by name. */
interface Formats {
  readonly [name: string]: FormatCheck;
}

/**
 * Compiles a schema to interpreted rules, which no content security policy forbids. Without `formats`, the keyword
 * `format` is an annotation.
 *
 * @throws `schema_unsupported`; the check throws `schema_too_costly`.
 */
export function compile(schema: JsonSchema, formats: Formats = {}): SchemaCheck {
  assertBounded(schema);
  const root = compileRules(schema, formats);
  return (value) => {
    const issues: SchemaIssue[] = [];
    const isValid = evaluate(root, value, { path: undefined, issues, covered: undefined, work: newWork() });
    return isValid ? [] : issues;
  };
}

/** Maximum number of steps of all patterns of a schema together. */
const mostPatternSteps = 50_000;

const anything: Rule = { assertions: [], asksForCovered: false };
const nothing: Rule = { assertions: [(_value, visit) => fail(visit)], asksForCovered: false };

/** Compiles a schema and its subschemas with a worklist: they may be deep and recursive. */
function compileRules(root: Json, formats: Formats): Rule {
  if (!isObject(root)) return root === false ? nothing : anything;
  const document = readDocument(root);
  const rules = new Map<JsonObject, Rule>();
  const matcherOf = matchers();
  const onSameValue = new Map<JsonObject, JsonObject[]>();

  function ruleOf(schema: Json): Rule {
    if (!isObject(schema)) return schema === false ? nothing : anything;
    const known = rules.get(schema);
    if (known !== undefined) return known;
    const rule: Rule = { assertions: [], asksForCovered: false };
    rules.set(schema, rule);
    return rule;
  }

  function placeOf(schema: JsonObject): SchemaPlace {
    const sameValues: JsonObject[] = [];
    onSameValue.set(schema, sameValues);
    const sameValue = (inner: Json): Rule => {
      if (isObject(inner)) sameValues.push(inner);
      return ruleOf(inner);
    };
    return {
      schema,
      rule: ruleOf,
      sameValue,
      target: (reference) => sameValue(document.resolve(reference, schema)),
      pattern: (source) => matcherOf(source, document.locationOf(schema)),
      format: (name) => (Object.hasOwn(formats, name) ? formats[name] : undefined),
    };
  }

  const rule = ruleOf(root);
  // The list grows during the loop, by the subschemas of compiled schemas.
  for (const [schema, each] of rules) {
    const place = placeOf(schema);
    const used = usedIn(schema, document);
    each.assertions.push(...used.flatMap(([operand, keyword]) => assertionOf(operand, keyword, place)));
    each.asksForCovered = Object.keys(lastKeywords).some((name) => Object.hasOwn(schema, name));
  }
  refuseLoops(onSameValue, document);
  return rule;
}

/** Compiles the patterns of a schema, each once. */
function matchers(): (source: string, location: string) => Matcher {
  const known = new Map<string, Matcher>();
  const room = { left: mostPatternSteps };
  return (source, location) => {
    const refuse = (problem: string, advice: string): never => refuseSchema(location, problem, advice);
    const matcher = known.get(source) ?? toMatcher(source, { room, refuse });
    known.set(source, matcher);
    return matcher;
  };
}

/** Keywords of a schema in evaluation order. */
function usedIn(schema: JsonObject, document: SchemaDocument): readonly (readonly [operand: Json, Keyword])[] {
  const isRefAlone = document.dialect.refStandsAlone && '$ref' in schema;
  return inOrder.flatMap(([name, keyword]) => {
    const operand = Object.hasOwn(schema, name) && (!isRefAlone || name === '$ref') ? schema[name] : undefined;
    if (operand === undefined) return [];
    if (hasShape(operand, keyword.takes)) return [[operand, keyword] as const];
    const given = JSON.stringify(operand).slice(0, 100);
    return refuseSchema(document.locationOf(schema), `has ${given} as "${name}"`, `"${name}" takes ${keyword.takes}`);
  });
}

function assertionOf(operand: Json, { assert }: Keyword, place: SchemaPlace): readonly Assertion[] {
  const assertion = assert(operand as never, place);
  return assertion === undefined ? [] : [assertion];
}
