import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { McpCommand } from '../client/index.ts';
import { mounted } from '../test-kit/sources.ts';
import { stdioServer } from './index.ts';

const program = join(import.meta.dirname, '../test-kit/telling-server.ts');

describe('what a program is started with', () => {
  it('reaches it as it is: no shell reads line breaks, quotes and blanks', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stdio-'));
    const odd = ['', 'a\nb\r\nc', '"\'`\\', '; touch owned', '$(touch owned)', '%PATH% ^&|', '--\u2028-é☃'];
    const command = { command: process.execPath, args: [program, ...odd], env: { GIVEN: 'x\ny=z' }, cwd: folder };
    const { call, unmount } = await mounted(stdioServer(command));
    expect(JSON.parse(String((await call('x_given')).output))).toEqual({ args: odd, value: 'x\ny=z' });
    expect(existsSync(join(folder, 'owned'))).toBe(false);
    await unmount();
  });

  it.each<[string, Partial<McpCommand>, string]>([
    ['a NUL in an argument', { args: [program, 'hunter2\u0000'] }, 'have a NUL character'],
    ['a NUL in a variable', { env: { PASSWORD: 'hunter2\u0000' } }, 'have a NUL character'],
    ['a NUL in the name of a variable', { env: { 'hunter2\u0000': 'x' } }, 'have a NUL character'],
    ['a NUL in the directory', { cwd: '/hunter2\u0000' }, 'have a NUL character'],
    ['a name that is two', { env: { 'NODE_OPTIONS=--hunter2': 'x' } }, 'a name with ='],
    ['a variable without a name', { env: { '': 'hunter2' } }, 'has no name'],
  ])('is refused with %s, without the text', async (_, wrong, problem) => {
    const server = stdioServer({ command: process.execPath, args: [program], ...wrong });
    const { names, problems, unmount } = await mounted(server);
    expect(names()).toEqual([]);
    expect(problems.join()).toContain(problem);
    expect(problems.join()).not.toContain('hunter2');
    await unmount();
  });
});

describe('the identity of a program', () => {
  const of = (env: McpCommand['env'], more: Partial<McpCommand> = {}): string | undefined =>
    stdioServer({ command: 'x', ...(env && { env }), ...more }).identity;

  it.each<[string, string | undefined]>([
    ['a variable', of({ NODE_OPTIONS: '--import ./evil.mjs' })],
    ['an argument', of(undefined, { args: ['y'] })],
    ['a directory', of(undefined, { cwd: '/tmp' })],
    ['a further secret', of({ API_TOKEN: 'a' })],
  ])('is another one with %s', (_, identity) => expect(identity).not.toBe(of(undefined)));

  it('depends on neither the order of variables nor the value of a secret, which it does not contain', () => {
    const one = of({ REGION: 'eu', API_TOKEN: 'hunter2' });
    expect(of({ API_TOKEN: 'hunter3', REGION: 'eu' })).toBe(one);
    expect(of({ API_TOKEN: 'hunter2', REGION: 'us' })).not.toBe(one);
    expect(one).not.toContain('hunter2');
  });
});
