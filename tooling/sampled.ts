import { inject } from 'vitest';

type Test = (name: string, body: () => void | Promise<void>) => void;

/**
 * What registers tests of a suite, but every third of them only, and those with a name that matters here: for a subject of
 * which another file runs the whole suite in another place. `pnpm test:long` runs all of them.
 */
export function sampled(test: Test, always?: RegExp): Test {
  let index = 0;
  return (name, body) => {
    if (inject('isLong') || index++ % 3 === 0 || always?.test(name)) test(name, body);
  };
}
