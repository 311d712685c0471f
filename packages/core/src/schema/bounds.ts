import { UtensilError } from '../base/errors.ts';

/** Maximum levels of JSON. A nested object takes two. */
const deepest = 200;

/** Maximum number of objects, arrays and scalars. */
const mostValues = 100_000;

/**
 * Bounds the size and depth of a schema, so that code that walks it terminates soon and has enough stack.
 *
 * @throws `schema_unsupported`
 */
export function assertBounded(schema: unknown): void {
  let count = 0;
  let level: readonly unknown[] = [schema];
  for (let depth = 1; level.length > 0; depth++) {
    count += level.length;
    if (depth > deepest) refuse(`is nested more than ${deepest} levels deep`);
    if (count > mostValues) refuse(`has more than ${mostValues} values`);
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
}

function refuse(problem: string): never {
  throw new UtensilError('schema_unsupported', `This schema ${problem}: split it, or simplify it.`);
}
