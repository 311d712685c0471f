// fast-check as tests get it: with the seed of this run. Loaded by those that use it alone.

import { configureGlobal } from 'fast-check';
import { inject } from 'vitest';

configureGlobal({ seed: inject('seed') });

export * from 'fast-check';
export { default } from 'fast-check';
