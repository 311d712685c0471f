import { isObject } from '../json.ts';
import type { Json, JsonObject, JsonSchema } from '../json.ts';
import type { Check } from '../json-schema.ts';
import { assertBounded } from '../schema-bounds.ts';
import type { Issue } from '../schema.ts';
import { arrayKeywords, unevaluatedItems } from './array-keywords.ts';
import { combiningKeywords } from './combining-keywords.ts';
import { readDocument, refuseSchema } from './document.ts';
import type { SchemaDocument } from './document.ts';
import { evaluate, fail } from './evaluate.ts';
import type { Assertion, Rule } from './evaluate.ts';
import type { FormatCheck } from './formats.ts';
import { hasShape } from './keyword.ts';
import type { Keyword, Keywords, SchemaPlace } from './keyword.ts';
import { objectKeywords, unevaluatedProperties } from './object-keywords.ts';
import { toMatcher } from './pattern/matcher.ts';
import type { Matcher } from './pattern/matcher.ts';
import { scalarKeywords } from './scalar-keywords.ts';
import { newWork } from './work.ts';

/** They ask for what the other keywords have covered. */
const lastKeywords: Keywords = { ...unevaluatedItems, ...unevaluatedProperties };

const inOrder: readonly (readonly [name: string, Keyword])[] = Object.entries({
  ...scalarKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ...combiningKeywords,
  ...lastKeywords,
});

/** Formats that are asserted, by their names. */
interface Formats {
  readonly [name: string]: FormatCheck;
}

/**
 * Compiles a schema to rules that are interpreted: no content security policy forbids that. Without `formats`, the keyword
 * `format` is an annotation.
 *
 * @throws `schema_unsupported`; the check throws `schema_too_costly`.
 */
export function compile(schema: JsonSchema, formats: Formats = {}): Check {
  assertBounded(schema);
  const root = compileRules(schema, formats);
  return (value) => {
    const issues: Issue[] = [];
    const isValid = evaluate(root, value, { path: undefined, issues, covered: undefined, work: newWork() });
    return isValid ? [] : issues;
  };
}

/** Of all patterns of a schema. */
const mostPatternSteps = 50_000;

const anything: Rule = { assertions: [], asksForCovered: false };
const nothing: Rule = { assertions: [(_value, visit) => fail(visit)], asksForCovered: false };

/** A worklist instead of recursion: a schema may be deep, and may contain itself. */
function compileRules(root: Json, formats: Formats): Rule {
  if (!isObject(root)) return root === false ? nothing : anything;
  const document = readDocument(root);
  const rules = new Map<JsonObject, Rule>();
  const patterns = new Map<string, Matcher>();
  const room = { left: mostPatternSteps };
  /** By schema, those that meet the same value. */
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
      pattern: (source) => {
        const refuse = (problem: string, advice: string): never =>
          refuseSchema(document.locationOf(schema), problem, advice);
        const known = patterns.get(source) ?? toMatcher(source, { room, refuse });
        patterns.set(source, known);
        return known;
      },
      format: (name) => (Object.hasOwn(formats, name) ? formats[name] : undefined),
    };
  }

  const rule = ruleOf(root);
  for (const [schema, each] of rules) {
    // grows meanwhile
    const place = placeOf(schema);
    const used = usedIn(schema, document);
    each.assertions.push(...used.flatMap(([operand, keyword]) => assertionOf(operand, keyword, place)));
    each.asksForCovered = Object.keys(lastKeywords).some((name) => Object.hasOwn(schema, name));
  }
  refuseLoops(onSameValue, document);
  return rule;
}

/** The keywords of a schema, in the order in which they are asserted. */
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

/** A schema that meets the same value again, by whatever way, would do so for ever. */
function refuseLoops(edges: ReadonlyMap<JsonObject, readonly JsonObject[]>, document: SchemaDocument): void {
  const done = new Set<JsonObject>();
  for (const start of edges.keys()) {
    const around = new Set<JsonObject>();
    const open: { readonly schema: JsonObject; readonly isLeft?: boolean }[] = [{ schema: start }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { schema, isLeft = false } = next;
      if (isLeft) {
        around.delete(schema);
        done.add(schema);
      } else if (around.has(schema)) {
        refuseSchema(
          document.locationOf(schema),
          'refers to itself for the same value, which never ends',
          'refer to it from "properties" or "items"',
        );
      } else if (!done.has(schema)) {
        around.add(schema);
        open.push({ schema, isLeft: true });
        for (const inner of edges.get(schema) ?? []) open.push({ schema: inner });
      }
    }
  }
}
