// Property tests try the same inputs in each run of the suite, so that what fails on a change is the change's; `test:long`
// tries others each time. SEED=… tries those of a run that failed.

import process from 'node:process';
import * as fc from 'fast-check';
import { inject } from 'vitest';

const { SEED = inject('isLong') ? undefined : '1' } = process.env;

if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) });
