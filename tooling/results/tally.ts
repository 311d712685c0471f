// Counts the results in Vitest's report, and reports its gaps: a file that could not be loaded, a test file that was
// not run, a package or app without any executed test.

import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { readReport, type TestFile } from './report.ts';
import { readStrayErrors } from './stray-errors.ts';

export interface TallyOptions {
  /** True if all tests were requested. */
  readonly complete: boolean;
  /** Vitest's own verdict. */
  readonly ok: boolean;
}

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
  readonly complaints: string[];
}

/** Tallies the last run at `root`. */
export function tally(root: string, { complete, ok }: TallyOptions): Tally {
  const counts: Tally = { passed: 0, failed: 0, skipped: 0, complaints: [] };
  const files = readOrComplain(root, counts.complaints);
  for (const { tests } of files) for (const { outcome } of tests) counts[outcome]++;
  counts.complaints.push(...unloaded(files));
  counts.complaints.push(...readStrayErrors(root).map((error) => `outside of a test: ${error}`));
  if (!ok && counts.failed + counts.complaints.length === 0)
    counts.complaints.push('Vitest failed outside of its tests');
  if (complete) counts.complaints.push(...missing(root, files));
  return counts;
}

function readOrComplain(root: string, complaints: string[]): readonly TestFile[] {
  try {
    return readReport(root);
  } catch (error) {
    complaints.push(error instanceof Error ? error.message : String(error));
    return [];
  }
}

/** Complaints about test files that could not be loaded. */
export function unloaded(files: readonly TestFile[]): string[] {
  return files
    .filter(({ hasFailed, tests }) => hasFailed && tests.every(({ outcome }) => outcome !== 'failed'))
    .map(({ file, message }) => `${file}: ${message.split('\n')[0]}`);
}

/** Complaints about test files that were not run, and about members without any executed test. */
export function missing(root: string, files: readonly TestFile[]): string[] {
  const find = (pattern: string): string[] =>
    globSync(pattern, { cwd: root })
      .map((path) => path.split(sep).join('/'))
      .sort();
  const wanted = [
    ...find('{packages,apps}/*/src/**/*.test.ts'),
    ...find('tooling/**/*.test.ts'),
    ...find('tooling/doctest/.doctest/*.test.ts'),
  ];
  const seen = new Set(files.map(({ file }) => file));
  const lively = new Set(files.filter(hasRun).map(({ file }) => owner(file)));
  const members = find('{packages,apps}/*/package.json').map((path) => path.replace('/package.json', '/src'));
  return [
    ...wanted
      .filter((path) => !path.includes('node_modules/') && !seen.has(path))
      .map((path) => `${path}: was not run`),
    ...members.filter((path) => !lively.has(path)).map((path) => `${path}: no test ran`),
  ];
}

function hasRun({ tests }: TestFile): boolean {
  return tests.some(({ outcome }) => outcome !== 'skipped');
}

/** The sources that a test belongs to. Code blocks of a package's documents do not count as its tests. */
function owner(path: string): string {
  return /^(?:packages|apps)\/[^/]+\/src/.exec(path)?.[0] ?? '';
}
