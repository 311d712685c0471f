// Tests of a complete run, from its report.

import { readReport } from './report.ts';
import { missing, unloaded } from './tally.ts';

/** An executed test. */
export interface RunTest {
  /** Relative to the root, with slashes. */
  readonly file: string;
  /** Titles of the surrounding blocks, outermost first. */
  readonly ancestors: readonly string[];
  readonly title: string;
  readonly passed: boolean;
}

/** All executed tests. Throws if the report is missing or incomplete. */
export function readTests(root: string): readonly RunTest[] {
  const files = readReport(root);
  const gaps = [...unloaded(files), ...missing(root, files)];
  if (gaps.length > 0)
    throw new Error(`The report is not of all tests: run \`npm run check tests\`.\n${gaps.join('\n')}`);
  return files.flatMap(({ file, tests }) =>
    tests
      .filter(({ outcome }) => outcome !== 'skipped')
      .map(({ ancestors, title, outcome }) => ({ file, ancestors, title, passed: outcome === 'passed' })),
  );
}
