import { inject } from 'vitest';

type Test = (name: string, body: () => void | Promise<void>) => void;

/** Names of cases by pattern. */
interface Sample {
  /** Registered besides every third. */
  readonly always?: RegExp;
  /** Never registered: they take long, and are about load. */
  readonly never?: RegExp;
}

/**
 * A `test` function that registers only every third test of a suite, and those with a relevant name: for subjects whose
 * whole suite another file runs elsewhere. `npm run test:long` runs all.
 */
export function sampled(test: Test, { always, never }: Sample = {}): Test {
  let index = 0;
  return (name, body) => {
    const isChosen = (index++ % 3 === 0 || always?.test(name)) && !never?.test(name);
    if (inject('isLong') || isChosen) test(name, body);
  };
}
