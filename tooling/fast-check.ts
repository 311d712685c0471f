// fast-check for tests, with the seed of this run. Only loaded by tests that use it.

import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

configureGlobal({ seed: inject('seed') });

export * from 'fast-check';
export { default } from 'fast-check';
