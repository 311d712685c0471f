// Checks every import of the workspace against the table in layers.ts.

import { reportProblems } from '../checks/problems.ts';
import { findViolations } from './violations.ts';

await reportProblems(() =>
  findViolations(process.cwd()).map(({ file, line, rule, message }) => `${file}:${line}: ${rule}: ${message}`),
);
