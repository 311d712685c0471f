// Runs all cases of the tests that try a sample in `npm test`, with a new seed, and then compares a step of the loop with
// the hand-written one.

import { spawnSync } from 'node:child_process';
import { root, runCommand } from './commands.ts';
import { longTests } from './long-tests.ts';

process.env['LONG'] = '1';
const { stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
const tests = longTests(root, stdout.split('\n').filter(Boolean));
const bench = 'node --conditions=@utensil/source tooling/bench/src/main.ts run-loop --gate fail --mode scripted';
const passed = [`vitest run --silent=false ${tests.join(' ')}`, bench].map(
  (command) => runCommand(command, { output: 1 }).ok,
);
process.exitCode = passed.includes(false) ? 1 : 0;
