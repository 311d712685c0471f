// Everything that a change has to pass, and one closing line with the count of tests:
//
//   npm test                          all of it, and so is `npm run check`
//   npm run check -- lint types       only these checks
//   npm run check -- packages/core    only the tests whose path contains this
//   npm run check -- --changed        the quick checks, and the tests that the changes of this branch may break;
//                                     --changed=HEAD for the changes since a commit
//
// Of all of it, up to five test files that failed are run once more by themselves, as two cores with browsers and
// processes on them are no place to judge a test by its time. Errors outside of tests are not forgiven so.
// A failure stops nothing: each check that failed is one more failure in the closing line.

import { rmSync } from 'node:fs';
import { affectedTests } from './changed.ts';
import { afterTests, checks, quick, root, runCheck, runCommand, runTogether, testGroups } from './checks.ts';
import { filesToTryAlone } from '../results/alone.ts';
import { joinReports, replaceInReport, reportPath } from '../results/report.ts';
import { forgetStrayErrors } from '../results/stray-errors.ts';
import { tally } from '../results/tally.ts';

const given = process.argv.slice(2);
const words = given.flatMap((word) => (/^--changed(?:=|$)/.test(word) ? forChanges(word.split('=')[1]) : [word]));
const everything = given.length === 0;
const filters = words.filter((word) => word !== 'tests' && !(word in checks));
const chosen = everything
  ? Object.keys(checks).filter((name) => !afterTests.includes(name))
  : words.filter((word) => word in checks);
const unsteady: string[] = [];
const complaints = chosen.filter((name) => !passes(name)).map((name) => `the check "${name}" failed`);

if (everything || filters.length > 0 || words.includes('tests')) {
  rmSync(reportPath(root), { force: true });
  forgetStrayErrors(root);
  const ok = everything ? await runTests() : runCommand(['vitest run', ...filters].join(' '), { output: 1 }).ok;
  const counts = tally(root, { complete: everything, ok });
  complaints.push(...counts.complaints);
  const late = everything ? afterTests.filter((name) => !passes(name)) : [];
  complaints.push(...late.map((name) => `the check "${name}" failed`));
  close('tests', counts);
} else {
  close('checks', { passed: chosen.length - complaints.length, failed: 0, skipped: 0 });
}

/** Runs all tests, a group of projects beside another, and once more the few files that failed so. */
async function runTests(): Promise<boolean> {
  const reports = testGroups.map((_, group) => `.results/group-${group}.json`);
  const commands = testGroups.map((projects, group) =>
    ['vitest run', `--outputFile.json=${reports[group]}`, ...projects.map((name) => `--project=${name}`)].join(' '),
  );
  const ok = await runTogether(commands);
  joinReports(root, reports);
  const suspects = ok ? [] : filesToTryAlone(root);
  return suspects.length > 0 ? tryAlone(suspects) : ok;
}

/** True if files that failed beside others pass by themselves. They are named: such a test is a defect too. */
function tryAlone(files: readonly string[]): boolean {
  const report = '.results/alone.json';
  console.log(`\nOnce more, by themselves: ${files.join(' ')}`);
  const { ok } = runCommand(`vitest run --outputFile.json=${report} ${files.join(' ')}`, { output: 1 });
  replaceInReport(root, report);
  if (ok) unsteady.push(...files);
  return ok;
}

/** What to check of the changes since a commit, or since this branch left `main`. */
function forChanges(since?: string): readonly string[] {
  const tests = affectedTests(root, since);
  console.log(`tests of ${tests?.join(' ') || (tests === undefined ? 'everything' : 'nothing')}`);
  return [...quick, ...(tests ?? ['tests'])];
}

function passes(name: string): boolean {
  const started = performance.now();
  const { ok, output } = runCheck(name);
  console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (!ok) console.log(output);
  return ok;
}

function close(
  what: string,
  counts: { readonly passed: number; readonly failed: number; readonly skipped: number },
): void {
  for (const file of unsteady) console.log(`! ${file} failed beside others, and passed by itself: make it steady`);
  for (const complaint of complaints) console.log(`✗ ${complaint}`);
  const failed = counts.failed + complaints.length;
  console.log(`${what}: ${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
  process.exitCode = failed > 0 || counts.passed === 0 ? 1 : 0;
}
