import { Validator } from '@cfworker/json-schema';
import type { JsonSchema } from './json.ts';
import type { Check } from './json-schema.ts';
import type { Issue } from './schema.ts';

/** More are of no help to anybody, and take long to sort. */
const mostErrors = 200;

/** Compiles a schema with `@cfworker/json-schema`, which interprets it: no content security policy forbids that. */
export function compile(schema: JsonSchema): Check {
  const engine = new Validator(schema, '2020-12', false);
  return (value) => {
    const { valid, errors } = engine.validate(value);
    const first = errors.slice(0, mostErrors);
    return valid ? [] : first.filter((error) => isLeaf(error, first)).map(toIssue);
  };
}

interface EngineError {
  readonly keyword: string;
  readonly keywordLocation: string;
  readonly instanceLocation: string;
  readonly error: string;
}

const unions: readonly string[] = ['anyOf', 'oneOf', 'not', 'if', 'contains'];

/** The engine reports an error at every level: kept are the innermost, but a union as one, without its alternatives. */
function isLeaf(error: EngineError, all: readonly EngineError[]): boolean {
  const isBelow = (inner: EngineError, outer: EngineError): boolean =>
    inner !== outer && inner.keywordLocation.startsWith(`${outer.keywordLocation}/`);
  const underUnion = all.some((outer) => unions.includes(outer.keyword) && isBelow(error, outer));
  return !underUnion && (unions.includes(error.keyword) || !all.some((inner) => isBelow(inner, error)));
}

function toIssue({ keyword, instanceLocation, error }: EngineError): Issue {
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'));
  const missing = keyword === 'required' ? /"(.*)"\.?$/.exec(error)?.[1] : undefined;
  return { path: missing === undefined ? path : [...path, missing], message: '' };
}
