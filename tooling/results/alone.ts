import { existsSync } from 'node:fs';
import { readReport, reportPath } from './report.ts';
import { readStrayErrors } from './stray-errors.ts';

/** More files than these fail by what was changed. */
const most = 5;

/** The test files of the last run that may have failed because of what ran beside them. */
export function filesToTryAlone(root: string): readonly string[] {
  if (!existsSync(reportPath(root)) || readStrayErrors(root).length > 0) return [];
  const failed = readReport(root).filter(({ hasFailed }) => hasFailed);
  return failed.length > most ? [] : failed.map(({ file }) => file);
}
