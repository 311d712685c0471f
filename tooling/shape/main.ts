// Checks the functions, signatures and types of all sources against the limits in limits.ts.

import { reportProblems } from '../checks/problems.ts';
import { findOversized } from './find.ts';
import { allowed } from './limits.ts';

await reportProblems(() => findOversized(process.cwd(), Object.keys(allowed)));
