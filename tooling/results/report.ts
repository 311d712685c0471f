// The report of a Vitest run.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const path = '.results/vitest.json';

/** A test file that Vitest ran, or could not load. */
export interface TestFile {
  /** Relative to the root, with slashes. */
  readonly file: string;
  readonly hasFailed: boolean;
  /** Reason why it could not be loaded. */
  readonly message: string;
  readonly tests: readonly ReportedTest[];
}

export interface ReportedTest {
  /** Titles of the surrounding blocks, outermost first. */
  readonly ancestors: readonly string[];
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

export function reportPath(root: string): string {
  return join(root, path);
}

/** Throws if the report is missing or damaged. */
export function readReport(root: string): readonly TestFile[] {
  if (!existsSync(reportPath(root)))
    throw new Error(`There is no report of the tests, ${path}: run \`npm run check tests\`.`);
  return parse(readFileSync(reportPath(root), 'utf8')).testResults.map(
    ({ name, message, status, assertionResults }) => ({
      file: relative(root, name).split(sep).join('/'),
      hasFailed: status === 'failed',
      message,
      tests: assertionResults.map((test) => ({
        ancestors: test.ancestorTitles,
        title: test.title,
        outcome: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped', // pending, todo
      })),
    }),
  );
}

/** Merges the reports of several runs into one, and removes them. If one is missing or damaged, there is no report. */
export function joinReports(root: string, parts: readonly string[]): void {
  const reports = parts.map((part) => join(root, part));
  if (reports.every((report) => existsSync(report))) {
    const testResults = reports.flatMap((report) => parse(readFileSync(report, 'utf8')).testResults);
    writeFileSync(reportPath(root), JSON.stringify({ testResults }));
  }
  for (const report of reports) rmSync(report, { force: true });
}

/** Replaces the results of some files by those of a later run, and removes that run's report. */
export function replaceInReport(root: string, part: string): void {
  const later = parse(readFileSync(join(root, part), 'utf8')).testResults;
  const named = new Set(later.map(({ name }) => name));
  const earlier = parse(readFileSync(reportPath(root), 'utf8')).testResults.filter(({ name }) => !named.has(name));
  writeFileSync(reportPath(root), JSON.stringify({ testResults: [...earlier, ...later] }));
  rmSync(join(root, part));
}

function parse(text: string): Report {
  try {
    return JSON.parse(text) as Report;
  } catch (cause) {
    throw new Error(`The report of the tests, ${path}, is broken: run \`npm run check tests\`.`, { cause });
  }
}
