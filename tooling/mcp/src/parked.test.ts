import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { bundledProgram } from '../../fixtures/workspace/bundled-program.ts';

// A model uses the official server for files and one of our tools in one turn. One of the two calls waits for a person,
// whose process is killed meanwhile; the next process has the answer.

let program = '';

beforeAll(async () => {
  const modules = join(import.meta.dirname, '../node_modules');
  program = await bundledProgram(join(import.meta.dirname, 'parked-program.ts'), modules);
});

const running = new Set<ChildProcess>();

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** Starts a process of the app: the lines that it writes, as soon as `isLast` is true of one or it ends. */
async function started(args: readonly string[], isLast: (line: string) => boolean = () => false) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  running.add(child);
  const lines: string[] = [];
  let rest = '';
  for await (const chunk of child.stdout) {
    const parts = `${rest}${String(chunk)}`.split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    if (parts.some(isLast)) break;
  }
  return { child, ended, lines };
}

const done = 'milk, milk\n';

it.each([
  ['files_edit_file', 'once', { todo: done, log: 'bought\n' }],
  ['log', 'once', { todo: done, log: 'bought\n' }],
  ['files_edit_file', 'deny', { todo: 'milk\n', log: 'bought\n' }],
])(
  'a call of %s waits, its process is killed, and the answer "%s" goes to the next: each effect is there once',
  async (asked, answer, expected) => {
    const folder = await mkdtemp(join(tmpdir(), 'parked-'));
    await mkdir(join(folder, 'notes'));
    await writeFile(join(folder, 'notes/todo.txt'), 'milk\n');
    const other = asked === 'log' ? 'files_edit_file' : 'log';

    const first = await started([folder, asked], (line) => line.startsWith('needs-'));
    expect(first.lines).toEqual([`ran ${other} false`, 'needs-approval']);
    first.child.kill('SIGKILL');
    expect(await first.ended).toEqual([null, 'SIGKILL']);

    const second = await started([folder, asked, answer]);
    expect(await second.ended).toEqual([0, null]);
    const isRefused = answer === 'deny';
    expect(second.lines).toEqual([`ran ${asked} ${isRefused}`, `${asked} complete All is noted.`]);
    const read = (name: string) => readFile(join(folder, name), 'utf8');
    expect({ todo: await read('notes/todo.txt'), log: await read('log.txt') }).toEqual(expected);
  },
);
