import { afterEach, expect } from 'vitest';

declare global {
  /** Warnings of Lit's development build in this page. */
  var litIssuedWarnings: Set<string | undefined> | undefined;
}

/** Elements that scheduled an update during an update: they render twice, and may flicker. */
export function doubleUpdates(): readonly string[] {
  return [...(globalThis.litIssuedWarnings ?? [])].filter((said) => said?.includes('scheduled an update')) as string[];
}

/** Fails each test of this file in which an element renders twice. */
export function forbidDoubleUpdates(): void {
  afterEach(() => {
    const found = doubleUpdates();
    for (const said of found) globalThis.litIssuedWarnings?.delete(said); // the next test collects its own
    expect(found).toEqual([]);
  });
}
