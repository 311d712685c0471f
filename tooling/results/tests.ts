// The tests of a complete run, from the report of it.

import { readReport } from './report.ts';
import { missing, unloaded } from './tally.ts';

/** A test that ran. */
export interface RunTest {
  /** From the root, with slashes. */
  readonly file: string;
  /** What it is in, from the outside. */
  readonly ancestors: readonly string[];
  readonly title: string;
  readonly passed: boolean;
}

/** Every test that ran. Throws if the report is missing or not of all tests. */
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
