// What the tests of each api say, by their titles.

import type { RunTest } from '../results/tests.ts';
import type { Api } from './apis.ts';

/** A test that passed, one that failed, or one that is left out for a reason. */
export type Result = 'passed' | 'failed' | { readonly leftOut: string };

/** The results of an api, by title. */
export type Results = ReadonlyMap<string, Result>;

const leftOut = /^leaves out '(.+?)': (.+)$/;

/** The results of each api, in the order of the apis. */
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
