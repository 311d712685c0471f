import { existsSync } from 'node:fs';
import { readReport, reportPath } from './report.ts';
import { readStrayErrors } from './stray-errors.ts';

/** If more files than this fail, the change is to blame. */
const most = 5;

/** Test files of the last run that may have failed because of the load. */
export function filesToTryAlone(root: string): readonly string[] {
  if (!existsSync(reportPath(root)) || readStrayErrors(root).length > 0) return [];
  const failed = readReport(root).filter(({ hasFailed }) => hasFailed);
  return failed.length > most ? [] : failed.map(({ file }) => file);
}
