// Counts what Vitest reports, and complains about what a report does not show by itself: a file that could not
// be loaded, a test file that was not run, a package or an app that no test ran in.

import { globSync, readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

export interface TallyOptions {
  readonly root: string;
  readonly report: string;
  /** Whether every test was asked for. */
  readonly complete: boolean;
  /** Whether Vitest said that all is well. */
  readonly ok: boolean;
}

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  readonly complaints: string[];
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

export function tally({ root, report, complete, ok }: TallyOptions): Tally {
  const counts: Tally = { passed: 0, failed: 0, skipped: 0, complaints: [] };
  const seen = new Set<string>();
  const lively = new Set<string>();
  for (const { name, message, status, assertionResults } of readReport(report, counts.complaints)) {
    const path = slashed(relative(root, name));
    const tests = { passed: 0, failed: 0, skipped: 0 };
    for (const test of assertionResults) tests[isCounted(test.status) ? test.status : 'skipped']++;
    counts.passed += tests.passed;
    counts.failed += tests.failed;
    counts.skipped += tests.skipped;
    seen.add(path);
    if (tests.passed + tests.failed > 0) lively.add(owner(path));
    if (status === 'failed' && tests.failed === 0) counts.complaints.push(`${path}: ${message.split('\n')[0]}`);
  }
  if (!ok && counts.failed + counts.complaints.length === 0)
    counts.complaints.push('Vitest failed outside of its tests');
  if (complete) counts.complaints.push(...missing(root, seen, lively));
  return counts;
}

function readReport(report: string, complaints: string[]): Report['testResults'] {
  try {
    return (JSON.parse(readFileSync(report, 'utf8')) as Report).testResults;
  } catch (error) {
    complaints.push(`there is no report of the tests (${String(error)})`);
    return [];
  }
}

function missing(root: string, seen: ReadonlySet<string>, lively: ReadonlySet<string>): string[] {
  const find = (pattern: string): string[] => globSync(pattern, { cwd: root }).map(slashed).sort();
  const files = [
    ...find('{packages,apps}/*/src/**/*.test.ts'),
    ...find('tooling/**/*.test.ts'),
    ...find('tooling/doctest/.doctest/*.test.ts'),
  ];
  const members = find('{packages,apps}/*/package.json').map((path) => path.replace('/package.json', '/src'));
  return [
    ...files.filter((path) => !path.includes('node_modules/') && !seen.has(path)).map((path) => `${path}: was not run`),
    ...members.filter((path) => !lively.has(path)).map((path) => `${path}: no test ran`),
  ];
}

/** The sources that a test belongs to. The code blocks of a package's documents do not count as its tests. */
function owner(path: string): string {
  return /^(?:packages|apps)\/[^/]+\/src/.exec(path)?.[0] ?? '';
}

function isCounted(status: string): status is 'passed' | 'failed' {
  return status === 'passed' || status === 'failed';
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
