// Everything that a change has to pass, and one closing line with the count of tests:
//
//   pnpm check                 all of it; `npm test` is the same after a bootstrap
//   pnpm check lint types      only these checks
//   pnpm check packages/core   only the tests whose path contains this
//
// A failure stops nothing: each check that failed is one failed test of the closing line.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tally } from './tally.ts';

const checks: Readonly<Record<string, readonly string[]>> = {
  format: ['oxfmt --check'],
  lint: ['oxlint'],
  types: ['tsc -p tsconfig.json'],
  neutral: ['tsc -p tsconfig.neutral.json'],
  unused: ['knip'],
  packages: ['turbo run build --output-logs=errors-only', 'node tooling/packages.ts'],
  docs: ['node tooling/doctest.ts', 'tsc -p tsconfig.doctest.json'],
  chromium: ['node tooling/chromium.ts'],
};

const root = join(import.meta.dirname, '..');
const report = join(root, '.results/vitest.json');
const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  DO_NOT_TRACK: '1',
};

const words = process.argv.slice(2);
const filters = words.filter((word) => word !== 'tests' && !(word in checks));
const everything = words.length === 0;
const withTests = everything || words.includes('tests') || filters.length > 0;

const chosen = everything ? Object.keys(checks) : words.filter((word) => word in checks);
const failed = chosen.filter((name) => !passes(name, checks[name] ?? []));
const complaints = failed.map((name) => `the check "${name}" failed`);

if (withTests) {
  rmSync(report, { force: true });
  const vitest = start(`vitest run ${filters.join(' ')}`, 1);
  const counts = tally({ root, report, complete: everything, exitCode: vitest.status });
  complaints.push(...counts.complaints);
  for (const complaint of complaints) console.log(`✗ ${complaint}`);
  console.log(`tests: ${counts.passed} passed, ${counts.failed + complaints.length} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed + complaints.length > 0 || counts.passed === 0 ? 1 : 0;
} else {
  console.log(`checks: ${chosen.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

/** Runs the commands of one check up to the first that fails, and shows the output of that one. */
function passes(name: string, commands: readonly string[]): boolean {
  const started = performance.now();
  const done = (mark: string): void => {
    console.log(`${mark} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  };
  for (const command of commands) {
    const { status, output, error } = start(command, 'pipe');
    if (status === 0) continue;
    done('✗');
    console.log(error ? `${command}: ${error.message}` : output.join(''));
    return false;
  }
  done('✓');
  return true;
}

/** Runs a command; `output` is kept, or goes to our own standard output, in the order in which it comes. */
function start(command: string, output: 'pipe' | 1) {
  const [program = '', ...parameters] = command.split(' ').filter(Boolean);
  return spawnSync(program, parameters, {
    cwd: root,
    env,
    stdio: ['ignore', output, output],
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32', // where programs of node_modules/.bin are .cmd files
  });
}
