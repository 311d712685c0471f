// Two real programs and one conversation.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDemo, temporaryFolder } from './test-kit/spawn-demo.ts';

const busy = /Another program \(process \d+\) is at work on this conversation, since \d\d:\d\d:\d\d\./;

it('a conversation that another program is at work on was refused: now it says who has it, and shows the answer as it comes', async () => {
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path];
  await using first = startDemo(words);
  first.write('write a.md: one');
  await first.until('  + one');

  await using second = startDemo(words);
  second.write('/thread 1');
  expect(await second.until('Type /resume to watch.')).toMatch(busy);
  second.write('list');
  await second.until('Ctrl-C stops watching.');
  first.write('y');
  await first.until('✓ File created');
  const output = await second.until('✓ `list`');
  expect(output.indexOf('✓ `write a.md')).toBeGreaterThan(output.indexOf('stops watching')); // the other's answer, then its own
  expect(output).not.toContain('thread_busy');
  expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
});

it('what waits in another program could not be answered from a list: now the other program goes on with the answer', async () => {
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path];
  await using first = startDemo(words);
  first.write('write a.md: one');
  await first.until('  + one');

  await using second = startDemo(words);
  second.write('/waiting');
  await second.until('type /waiting and its number');
  second.write('/waiting 1');
  await second.until('  + one');
  second.write('y');
  expect(await second.until('Answered. Another program')).toMatch(busy);
  await first.until('✓ File created');
  second.write('/waiting 1');
  await second.until('Nothing of that number waits.');
  expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
});

it('whoever watches a program that is killed goes on with its conversation', async () => {
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path];
  await using first = startDemo(words);
  first.write('write a.md: one');
  await first.until('  + one');

  await using second = startDemo(words);
  second.write('/thread 1');
  second.write('/resume');
  await second.until('Ctrl-C stops watching.');
  first.signal('SIGKILL');
  await second.until('  + one');
  second.write('y');
  await second.until('✓ File created');
  expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
});
