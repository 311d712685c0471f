// Runs the checks that a change must pass, and prints a closing line with the number of tests:
//
//   npm test                          all of it, and so is `npm run check`
//   npm run check -- lint types       only these checks
//   npm run check -- packages/core    only the tests whose path contains this
//   npm run check -- --changed        the quick checks, and the tests that the changes of this branch may break, whose
//                                     packages are linted;
//                                     --changed=HEAD for the changes since a commit
//
// The checks run one after the other while the tests run, or two at a time with some tests, except those that the tests
// need and those that need the tests.
// Up to five failed test files are run again by themselves, because a machine with few cores, browsers and processes
// makes tests time out. Errors outside of tests get no second run.
// A failure stops nothing: each failed check adds a failure to the closing line.

import { rmSync } from 'node:fs';
import { affectedTests, foldersToLint } from './changed.ts';
import { afterTests, beforeTests, checks, printed, quick, testGroups } from './checks.ts';
import { root, runCheck, runCommand, runTogether } from './commands.ts';
import { filesToTryAlone } from '../results/alone.ts';
import { joinReports, replaceInReport, reportPath } from '../results/report.ts';
import { forgetStrayErrors } from '../results/stray-errors.ts';
import { tally } from '../results/tally.ts';

const given = process.argv.slice(2);
/** Arguments of checks that need not see everything. */
const limits: Record<string, readonly string[]> = {};
const words = given.flatMap((word) => (/^--changed(?:=|$)/.test(word) ? forChanges(word.split('=')[1]) : [word]));
const everything = given.length === 0;
const filters = words.filter((word) => word !== 'tests' && !(word in checks));
const chosen = everything ? Object.keys(checks) : words.filter((word) => word in checks);
const unsteady: string[] = [];
const complaints: string[] = [];

if (everything || filters.length > 0 || words.includes('tests')) {
  const late: string[] = [];
  const before = chosen.filter((name) => beforeTests.includes(name));
  const beside = chosen.filter((name) => !beforeTests.includes(name) && !afterTests.includes(name));
  const queue = beside.values();
  const tell = (output: string): unknown => late.push(output);
  const lanes = everything ? 1 : 2; // the tests of a change end before its checks, and leave a core idle
  const others = Promise.all(Array.from({ length: lanes }, () => runChecks(queue, tell)));
  await Promise.all(before.map((name) => runChecks([name])));
  rmSync(reportPath(root), { force: true });
  forgetStrayErrors(root);
  const ran = await runTests();
  await others;
  for (const output of late) console.log(output);
  const counts = tally(root, { complete: everything, ok: ran || (everything && tryAlone()) });
  complaints.push(...counts.complaints);
  await runChecks(chosen.filter((name) => afterTests.includes(name)));
  close('tests', counts);
} else {
  await runChecks(chosen);
  close('checks', { passed: chosen.length - complaints.length, failed: 0, skipped: 0 });
}

/** Runs the tests; all of them in groups of projects. True if none failed. */
async function runTests(): Promise<boolean> {
  if (!everything) return runTogether([['vitest run', ...filters].join(' ')]);
  const reports = testGroups.map((_, group) => `.results/group-${group}.json`);
  const commands = testGroups.map((projects, group) =>
    ['vitest run', `--outputFile.json=${reports[group]}`, ...projects.map((name) => `--project=${name}`)].join(' '),
  );
  const ok = await runTogether(commands);
  joinReports(root, reports);
  return ok;
}

/**
 * Runs the few files that failed among others again, by themselves. True if all of them pass then. Their names are
 * printed, because a test that fails among others is a defect too.
 */
function tryAlone(): boolean {
  const files = filesToTryAlone(root);
  if (files.length === 0) return false;
  const report = '.results/alone.json';
  console.log(`\nOnce more, by themselves: ${files.join(' ')}`);
  const { ok } = runCommand(`vitest run --outputFile.json=${report} ${files.join(' ')}`, { output: 1 });
  replaceInReport(root, report);
  if (ok) unsteady.push(...files);
  return ok;
}

/** Checks and tests for the changes since a commit, or since this branch left `main`. */
function forChanges(since?: string): readonly string[] {
  const tests = affectedTests(root, since);
  console.log(`tests of ${tests?.join(' ') || (tests === undefined ? 'everything' : 'nothing')}`);
  if (tests === undefined) return [...quick, 'tests'];
  limits['lint'] = foldersToLint(tests);
  return [...quick.filter((name) => limits[name]?.length !== 0), ...tests];
}

/** Runs the checks of a queue one after the other. The output of those that fail goes to `tell`. */
async function runChecks(names: Iterable<string>, tell: (output: string) => void = console.log): Promise<void> {
  for (const name of names) {
    const started = performance.now();
    const { ok, output } = await runCheck(name, root, limits[name]);
    console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    if (ok && printed.includes(name)) console.log(output);
    if (ok) continue;
    complaints.push(`the check "${name}" failed`);
    tell(output);
  }
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
