// Real programs, whose calls hang.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDemo, temporaryFolder } from './test-kit/spawn-demo.ts';

const hang = 'run await new Promise((then) => setTimeout(then, 600_000))';

it('a call that hangs could only be ended with its answer: /cancel lists what runs and cancels one call, and the answer goes on', async () => {
  await using folder = await temporaryFolder();
  await using program = startDemo(['--folder', folder.path, '--yes']);
  program.write(hang);
  await program.until('Run JavaScript');
  program.write('/cancel');
  const listed = await program.until('To cancel one, type /cancel and its number.');
  expect(listed).toMatch(/^ +1 +Run JavaScript/m);
  program.write('/cancel 7');
  await program.until('No call of the number 7 runs.');
  program.write('/cancel 1');
  await program.until('✗ Cancelled');
  program.write('/cancel'); // nobody is asked about it any more
  await program.until('No call runs at the moment.');
  program.write('write a.md: one');
  await program.until('✓ File created');
  program.write('/exit');
  expect(await program.end).toBe(0);
});

it('while a question is open, /cancel was taken for a no: the question stays open', async () => {
  await using folder = await temporaryFolder();
  await using program = startDemo(['--folder', folder.path]);
  program.write('write a.md: one');
  await program.until('Allow this action?');
  program.write('/cancel');
  const asked = await program.until('No call runs at the moment.');
  expect(asked).not.toContain('Declined');
  program.write('y');
  await program.until('✓ File created');
  expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
});

it('a person at a terminal cancels a call of a single request', async () => {
  await using folder = await temporaryFolder();
  await using program = startDemo(['--folder', folder.path, '--yes', hang], { terminal: true });
  await program.until('Run JavaScript');
  program.write('/cancel 1');
  await program.until('✗ Cancelled');
  expect(await program.end).toBe(0);
});
