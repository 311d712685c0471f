// Processes that draw on one budget, one of which is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { budgetIn, turnCost } from './test-kit/spend.ts';

const program = fileURLToPath(new URL('test-kit/spend.ts', import.meta.url));

/** A process with the given number of runs, and its output. */
function spender(root: string, runs: number, heard: (line: string) => void) {
  const child = spawn(process.execPath, ['--conditions=@utensil/source', program, root, `${runs}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => (lines.push(line), heard(line)));
  return { child, lines, closed: once(child, 'close') };
}

it('50 runs in four processes, one of them killed, overspend a daily budget by no more than their reservations', async () => {
  const root = await mkdtemp(join(tmpdir(), 'utensil-spent-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [first, ...others] = [14, 12, 12, 12].map((runs, index) =>
    spender(root, runs, () => index === 0 && killed.lines.length > 4 && killed.child.kill('SIGKILL')),
  ) as [ReturnType<typeof spender>, ...ReturnType<typeof spender>[]];
  const killed = first;
  await Promise.all([first, ...others].map(({ closed }) => closed));
  const asked = [first, ...others].flatMap(({ lines }) => lines).filter((line) => line === 'turn').length;
  const { spent, reserved } = await budgetIn(root).balance();
  expect(killed.child.signalCode).toBe('SIGKILL');
  expect(others.flatMap(({ lines }) => lines).filter((line) => line !== 'turn')).toEqual(
    Array.from({ length: 36 }, () => 'limit budget'),
  );
  // each turn that was asked for is counted, those of the killed process as they were set aside
  expect(spent.cost + reserved.cost).toBeGreaterThanOrEqual(asked * turnCost - 1e-9);
  expect(asked).toBeGreaterThanOrEqual(Math.floor(1 / turnCost) - 14);
  expect(asked * turnCost).toBeLessThanOrEqual(1 + turnCost);
}, 60_000);
