// Two real programs and one conversation.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { expect, it } from 'vitest';
import { demo, startDemo, temporaryFolder } from './test-kit/spawn-demo.ts';

const busy = /Another program \(process \d+\) is at work on this conversation, since \d\d:\d\d:\d\d\./;

it.concurrent('a conversation that another program is at work on was refused: now it says who has it, and shows the answer as it comes', async () => {
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

it.concurrent('what waits in another program could not be answered from a list: now the other program continues with the answer', async () => {
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
  second.write('/waiting 1'); // the list may not have it yet
  await Promise.race([second.until('Nothing of that number waits.'), second.until('This was answered meanwhile.')]);
  expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
});

it.concurrent('a program that watches a killed one takes its conversation over', async () => {
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

it.concurrent('a single request to a busy conversation failed: it follows the other program, and is answered then', async () => {
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path];
  await using first = startDemo(words);
  first.write('write a.md: one');
  await first.until('  + one');

  await using second = startDemo([...words, '--thread', '1', 'read a.md']);
  expect(await second.until('Ctrl-C stops watching.')).toMatch(busy);
  first.write('y');
  const output = await second.until('```output\none\n```');
  expect(await second.end).toBe(0);
  expect(output.indexOf('✓ `write a.md')).toBeGreaterThan(output.indexOf('stops watching'));
  expect(output).not.toContain('thread_busy');
});

it.concurrent('a request that is interrupted while another program answers is not sent', async () => {
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path];
  await using first = startDemo(words);
  first.write('write a.md: one');
  await first.until('  + one');

  await using second = startDemo([...words, '--thread', '1', 'read a.md']);
  await second.until('Ctrl-C stops watching.');
  second.signal('SIGINT');
  await second.until('Not sent: another program is at work on this conversation');
  expect(await second.end).toBe(130);
  first.write('y');
  await first.until('✓ `write a.md');
  const { all } = await demo([...words, '--thread', '1', 'list']);
  expect(all).not.toContain('> read a.md');
});

it.concurrent('/resume in a new conversation found nothing, or failed: it follows the busy one without being told which', async () => {
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path];
  await using first = startDemo(words);
  first.write('write a.md: one');
  await first.until('  + one');

  await using second = startDemo(words);
  second.write('/resume');
  expect(await second.until('Ctrl-C stops watching.')).toMatch(busy);
  first.signal('SIGKILL');
  await second.until('  + one');
  second.write('y');
  await second.until('✓ File created');
  expect(await readFile(join(folder.path, 'a.md'), 'utf8')).toBe('one\n');
});

it.concurrent('an answer of another program was shown when it was whole: its text appears while it is written, once', async () => {
  await using folder = await temporaryFolder();
  const body = anthropicStream([{ type: 'text', text: `word ${'and word '.repeat(40)}end.` }]).split(/(?<=\n\n)/);
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  await using server = await loopback(() => (isAsked(), { body, delay: 200 }));
  const options = { env: { ANTHROPIC_API_KEY: 'k' } };
  const words = ['--folder', folder.path, '--base-url', server.url];
  await using first = startDemo(words, options);
  first.write('Talk.');
  await asked;

  await using second = startDemo(words, options);
  second.write('/resume');
  await second.until('Ctrl-C stops watching.');
  expect(await second.until('word and')).not.toContain('end.');
  const output = await second.until('end.');
  expect(output.match(/end\./g)).toHaveLength(1);
  expect(output.slice(output.indexOf('stops watching')).match(/\bword\b/g)).toHaveLength(41);
});
