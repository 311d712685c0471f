import { afterEach, expect } from 'vitest';

declare global {
  /** What Lit's development build has warned of in this page. */
  var litIssuedWarnings: Set<string | undefined> | undefined;
}

/** Elements that scheduled an update in the middle of one: it is rendered twice, and its page may flicker. */
export function doubleUpdates(): readonly string[] {
  return [...(globalThis.litIssuedWarnings ?? [])].filter((said) => said?.includes('scheduled an update')) as string[];
}

/** Fails each test of this file in which an element renders twice. */
export function forbidDoubleUpdates(): void {
  afterEach(() => {
    const found = doubleUpdates();
    for (const said of found) globalThis.litIssuedWarnings?.delete(said); // the next test has its own
    expect(found).toEqual([]);
  });
}
