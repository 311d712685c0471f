import { isObject } from '@utensil/core';
import type { JsonSchema } from '@utensil/core';

/** Limits on an untrusted schema. Core's validator limits its own work in addition. */
const longest = 64 * 1024;
const deepest = 64;
const mostValues = 4_000;

const dialects: readonly string[] = [
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema',
  'https://json-schema.org/draft-07/schema',
];

/** Keywords whose meaning depends on the referring schema, so that one schema becomes many. */
const dynamic: readonly string[] = ['$dynamicRef', '$recursiveRef'];

/** An untrusted schema that passed the checks, or the reason for its rejection. */
export function admitSchema(schema: unknown): JsonSchema | { readonly refused: string } {
  if (!isObject(schema)) return { refused: 'is not an object' };
  const { $schema } = schema;
  const dialect = typeof $schema === 'string' ? $schema.replace(/#$/, '') : $schema;
  if (dialect !== undefined && !dialects.includes(String(dialect)))
    return {
      refused: `is written in ${JSON.stringify(dialect).slice(0, 100)}, which is neither draft 2020-12 nor draft 7`,
    };
  const problem = problemIn(schema);
  if (problem !== undefined) return { refused: problem };
  const { length } = JSON.stringify(schema); // after the depth check, since it recurses
  if (length > longest) return { refused: `has ${length} characters; ${longest} are allowed` };
  const { $id: _, ...rest } = schema; // a base URI would change the meaning of its references
  return rest as JsonSchema;
}

/** Iterative, level by level, so that depth costs no stack. */
function problemIn(root: object): string | undefined {
  let level: readonly unknown[] = [root];
  let count = 0;
  for (let depth = 1; level.length > 0; depth++) {
    count += level.length;
    if (depth > deepest) return `is nested more than ${deepest} levels deep`;
    if (count > mostValues) return `has more than ${mostValues} values`;
    for (const value of level) {
      const problem = isObject(value) ? referenceProblem(value, root) : undefined;
      if (problem !== undefined) return problem;
    }
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return undefined;
}

function referenceProblem(value: object, root: object): string | undefined {
  const told = Object.entries(value).find(([key, each]) => dynamic.includes(key) && typeof each === 'string');
  if (told !== undefined) return `uses ${told[0]}, which is not supported`;
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref !== 'string') return undefined;
  const quoted = JSON.stringify($ref.slice(0, 100));
  if (!$ref.startsWith('#')) return `refers to ${quoted}, which is outside of it and is not fetched`;
  return $ref.startsWith('#/') && !hasPlace(root, $ref) ? `refers to ${quoted}, which is not in it` : undefined;
}

function hasPlace(root: object, reference: string): boolean {
  let place: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false;
    place = (place as Record<string, unknown>)[key];
  }
  return true;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
