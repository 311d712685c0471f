import { canonicalJson, toJson } from '../base/json.ts';

/** Registers a test, like `test` of Vitest, `node:test` or Playwright. */
export type Test = (name: string, body: () => Promise<void> | void) => unknown;

/** Throws with this message unless the condition is true. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Throws unless two values have the same JSON, ignoring key order. */
export function assertEqual(actual: unknown, expected: unknown, message: string): void {
  const [got, wanted] = [canonicalJson(toJson(actual)), canonicalJson(toJson(expected))];
  assert(got === wanted, `${message}: expected ${wanted}, got ${got}`);
}
