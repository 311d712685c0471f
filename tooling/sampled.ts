import { inject } from 'vitest';

type Test = (name: string, body: () => void | Promise<void>) => void;

/**
 * A `test` function that registers only every third test of a suite, and those with a relevant name: for subjects whose
 * whole suite another file runs elsewhere. `npm run test:long` runs all.
 */
export function sampled(test: Test, always?: RegExp): Test {
  let index = 0;
  return (name, body) => {
    if (inject('isLong') || index++ % 3 === 0 || always?.test(name)) test(name, body);
  };
}
