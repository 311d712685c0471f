// Everything that a change has to pass, and one closing line with the count of tests:
//
//   pnpm check                 all of it; `npm test` is the same after a bootstrap
//   pnpm check lint types      only these checks
//   pnpm check packages/core   only the tests whose path contains this
//
// A failure stops nothing: each check that failed is one more failure in the closing line.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterTests, checks, root, runCheck, runCommand } from './checks.ts';
import { tally } from './tally.ts';

const words = process.argv.slice(2);
const everything = words.length === 0;
const filters = words.filter((word) => word !== 'tests' && !(word in checks));
const chosen = everything
  ? Object.keys(checks).filter((name) => !afterTests.includes(name))
  : words.filter((word) => word in checks);
const complaints = chosen.filter((name) => !passes(name)).map((name) => `the check "${name}" failed`);

if (everything || filters.length > 0 || words.includes('tests')) {
  const report = join(root, '.results/vitest.json');
  rmSync(report, { force: true });
  const { ok } = runCommand(['vitest run', ...filters].join(' '), { output: 1 });
  const counts = tally({ root, report, complete: everything, ok });
  complaints.push(...counts.complaints);
  const late = everything ? afterTests.filter((name) => !passes(name)) : [];
  complaints.push(...late.map((name) => `the check "${name}" failed`));
  close('tests', counts);
} else {
  close('checks', { passed: chosen.length - complaints.length, failed: 0, skipped: 0 });
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
  for (const complaint of complaints) console.log(`✗ ${complaint}`);
  const failed = counts.failed + complaints.length;
  console.log(`${what}: ${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
  process.exitCode = failed > 0 || counts.passed === 0 ? 1 : 0;
}
