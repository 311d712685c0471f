// Tools that reach beyond the folder, called by a model over HTTP in the real program.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { JsonObject } from '@utensil/core';
import { loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { expect, it } from 'vitest';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

/** Plays one call of a model. Returns the program's output and the tools that the model was offered. */
async function play(words: readonly string[], call: { readonly name: string; readonly input: JsonObject }, PATH = '') {
  await using server = await loopback((_, index) => ({
    body: anthropicStream([
      index === 0 ? { type: 'tool_use', id: 'call', ...call } : { type: 'text', text: 'That is all.' },
    ]),
  }));
  const env = { ANTHROPIC_API_KEY: 'k', ...(PATH && { PATH }) };
  const { code, all: output } = await demo([...words, '--base-url', server.url, 'Go on.'], { env });
  const first = server.requests[0]?.json();
  const { tools = [], system } = (first ?? {}) as { tools?: readonly { name: string }[]; system?: unknown };
  const read = server.requests[1]?.body ?? '';
  return { code, output, names: tools.map(({ name }) => name), system: JSON.stringify(system), read };
}

const command = { name: 'execute_command', input: { command: 'echo $((6 * 7)) > answer.txt && cat answer.txt' } };

it('runs no commands unless they were asked for', async () => {
  await using folder = await temporaryFolder();
  const { names, read } = await play(['--folder', folder.path, '--yes'], command);
  expect(names).not.toContain('execute_command');
  expect(read).toContain('Unknown tool: execute_command');
  expect(existsSync(join(folder.path, 'answer.txt'))).toBe(false);
});

it('refuses commands if there is no sandbox for them', async () => {
  await using folder = await temporaryFolder();
  const { names, read } = await play(['--folder', folder.path, '--yes', '--shell'], command, dirname(process.execPath));
  expect(names).toEqual(expect.arrayContaining(['execute_command', 'write_stdin']));
  expect(read).toMatch(/bubblewrap/i);
  expect(existsSync(join(folder.path, 'answer.txt'))).toBe(false);
});

it('runs commands without a sandbox if both flags are set and a person allows it', async () => {
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path, '--shell', '--no-sandbox'];
  const denied = await play(words, command);
  expect([denied.code, existsSync(join(folder.path, 'answer.txt'))]).toEqual([3, false]);
  const { code, output, system } = await play([...words, '--yes'], command);
  expect([code, existsSync(join(folder.path, 'answer.txt'))]).toEqual([0, true]);
  expect(output).toMatch(/^ +42$/m);
  expect(system).toContain('without a sandbox');
});

it('shows the calls that ran if the answer is empty', async () => {
  await using server = await loopback((_, index) => ({
    body: anthropicStream(index === 0 ? [{ type: 'tool_use', id: 'call', name: 'get_current_time', input: {} }] : []),
  }));
  await using folder = await temporaryFolder();
  const words = ['--folder', folder.path, '--yes', '--base-url', server.url, 'What time is it?'];
  const { code, all: output } = await demo(words, { env: { ANTHROPIC_API_KEY: 'k' } });
  expect([code, server.requests.length]).toEqual([0, 2]);
  expect(output).toMatch(/Current time\n +✓ \{"iso":/);
});

it('reaches no address of this machine', async () => {
  await using canary = await loopback(() => ({ body: 'secret' }));
  await using folder = await temporaryFolder();
  const link = { name: 'open_link', input: { url: `${canary.url}/admin` } };
  const { read } = await play(['--folder', folder.path, '--yes'], link);
  expect(canary.requests).toEqual([]);
  expect(read).toContain('127.0.0.1');
  expect(read).not.toContain('secret');
});

it('tells the model which tools its scripts can call, unless the person has switched that off', async () => {
  await using folder = await temporaryFolder();
  const time = { name: 'get_current_time', input: {} };
  const words = ['--folder', folder.path, '--yes'];
  expect((await play(words, time)).system).toContain('declare const tools');
  await demo(words, { input: '/option javascript callTools false\n' });
  expect((await play(words, time)).system).not.toContain('declare const tools');
});
