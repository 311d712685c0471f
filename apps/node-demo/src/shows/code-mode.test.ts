import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callsOf, createRecords, type Message, messagesOf, openThread } from '@utensil/core';
import { listThreads } from '@utensil/core/thread';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { expect, it } from 'vitest';
import { demo, temporaryFolder } from '../test-kit/spawn-demo.ts';

const words = ['--show', 'code-mode'];

/** Messages of the only thread in a folder. */
async function messagesIn(folder: string): Promise<readonly Message[]> {
  const records = createRecords(filesystemStorage(folder));
  const [summary] = await listThreads(records);
  return messagesOf(openThread(records, summary?.id ?? ''));
}

it('reads every table, sums a column and writes a report in one turn of the model with one call', async () => {
  await using folder = await temporaryFolder();
  const { code, all: output } = await demo(['--folder', folder.path, '--yes', ...words]);
  expect(code).toBe(0);
  const files = { 'data/north.csv': 200, 'data/south.csv': 300, 'data/west.csv': 100 };
  const report = `${JSON.stringify({ files, total: 600 }, null, 2)}\n`;
  expect(await readFile(join(folder.path, 'out/report.json'), 'utf8')).toBe(report);
  const messages = await messagesIn(folder.path);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  expect(messages.flatMap(callsOf).map(({ name }) => name)).toEqual(['javascript']);
  expect(JSON.stringify(messages.slice(2))).not.toContain('Grace'); // what it read stays in the sandbox
  expect(output).toContain('Model turns with calls: 1. Calls by the model: 1. Calls by its program: 5.');
});

it('reads what is there, and asks before the script runs and before it writes', async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, 'data'));
  await writeFile(join(folder.path, 'data/north.csv'), 'who,what\nme,1\n');
  const { code, all: output } = await demo(['--folder', folder.path, ...words], { input: 'y\nn\n' });
  expect(output.match(/Allow this action\?/g)).toHaveLength(2);
  expect(output).toContain("    const paths = (await tools.glob_files({ pattern: '/data/*.csv' })).split('\\n');\n");
  expect(output).toContain('  +     "data/north.csv": 1,\n');
  expect(output.match(/const report = /g)).toHaveLength(1); // the script is shown once
  expect(code).toBe(3);
  expect(await readdir(folder.path)).not.toContain('out');
});

it.each([
  ['n\n', 'The program was declined, so it did not run. No report was written.\n'],
  ['y\nn\n', 'The program ran, but writing the report was declined. No report was written.\n'],
])('after a no, neither claims success nor that nobody is here to ask: %j', async (input, answer) => {
  await using folder = await temporaryFolder();
  const { code, output, errors } = await demo(['--folder', folder.path, ...words], { input });
  expect({ code, output }).toEqual({ code: 3, output: answer });
  expect(errors).toContain('  ✗ Declined\n');
  expect(errors).not.toContain('nobody is here');
});

it.concurrent.each(['ends', 'ignored', 'open'] as const)(
  'says that nobody is here to ask if nobody is, instead of waiting: an input that is %s',
  async (stdin) => {
    await using folder = await temporaryFolder();
    const { code, errors } = await demo(['--folder', folder.path, ...words], { stdin });
    expect(code).toBe(3);
    expect(errors).toContain('Error: Declined, because nobody is here to ask.');
  },
);

it.each([
  [['--show', 'nothing'], 'There is no show "nothing". There is code-mode'],
  [['--show', 'code-mode', 'list'], '--show has a request of its own.'],
])('%j is told in words', async (wrong, message) => {
  await using folder = await temporaryFolder();
  const { code, errors } = await demo(['--folder', folder.path, ...wrong]);
  expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
});
