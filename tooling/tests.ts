// The tests of a complete run, from the report of it.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { tally } from './tally.ts';

/** A test that ran. */
export interface RunTest {
  /** From the root, with slashes. */
  readonly file: string;
  /** What it is in, from the outside. */
  readonly ancestors: readonly string[];
  readonly title: string;
  readonly passed: boolean;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** Every test that ran. Throws where the report is missing or not of all tests. */
export function readTests(root: string): readonly RunTest[] {
  const report = join(root, '.results/vitest.json');
  if (!existsSync(report)) throw new Error(`There is no report of the tests, ${report}: run \`pnpm check tests\`.`);
  const gaps = tally({ root, report, complete: true, ok: true }).complaints;
  if (gaps.length > 0) throw new Error(`The report is not of all tests: run \`pnpm check tests\`.\n${gaps.join('\n')}`);
  return testsOf(root, JSON.parse(readFileSync(report, 'utf8')) as Report);
}

function testsOf(root: string, { testResults }: Report): readonly RunTest[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(root, name).split(sep).join('/');
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ ancestorTitles, title, status }) => ({
        file,
        ancestors: ancestorTitles,
        title,
        passed: status === 'passed',
      }));
  });
}
