import { isObject } from '../base/json.ts';
import type { JsonSchema } from '../base/json.ts';
import { dereference } from './walk.ts';

/** Maximum levels of unions, references and `allOf` to follow. */
const deepest = 60;

/** True if a schema admits only objects, by itself or through all of its alternatives. */
export function admitsOnlyObjects(schema: JsonSchema, root: JsonSchema = schema): boolean {
  const seen = new Set<JsonSchema>();
  function isOnly(each: unknown, depth: number): boolean {
    if (!isObject(each) || depth > deepest) return false;
    const resolved = dereference(each as JsonSchema, root);
    const { type, allOf } = resolved;
    if (type !== undefined) return type === 'object';
    if (seen.has(resolved)) return true; // everything that it admits is checked elsewhere
    seen.add(resolved);
    const union = resolved['anyOf'] ?? resolved['oneOf'];
    if (Array.isArray(union) && union.length > 0) return union.every((member) => isOnly(member, depth + 1));
    return Array.isArray(allOf) && allOf.some((member) => isOnly(member, depth + 1));
  }
  return isOnly(schema, 0);
}
