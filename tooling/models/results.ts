// Results of each API's tests, by title.

import type { RunTest } from '../results/tests.ts';
import type { Api } from './apis.ts';

/** A test that passed, failed, or was skipped for a reason. */
export type Result = 'passed' | 'failed' | { readonly leftOut: string };

/** Results of an API, by title. */
export type Results = ReadonlyMap<string, Result>;

const leftOut = /^leaves out '(.+?)': (.+)$/;

/** Results of all APIs, in their order. */
export function resultsOf(apis: readonly Api[], tests: readonly RunTest[]): readonly Results[] {
  return apis.map(({ places }) => {
    const own = tests.filter(({ file, ancestors }) =>
      places.some((place) => place.file === file && ancestors.join(' › ') === (place.block ?? '')),
    );
    return new Map(own.map(toResult));
  });
}

function toResult({ title, passed }: RunTest): [title: string, result: Result] {
  const [, name = title, reason] = leftOut.exec(title) ?? [];
  if (!passed) return [name, 'failed'];
  return [name, reason === undefined ? 'passed' : { leftOut: reason }];
}
