import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ShellCommand, ShellExit } from '@utensil/core';
import { localShell } from '../local-shell.ts';
import type { LocalShell } from '../local-shell.ts';
import type { LocalShellOptions } from '../options.ts';

/** Output and end of a command. */
export interface Outcome {
  readonly text: string;
  readonly dropped: number;
  readonly exit: ShellExit;
}

/** Shells in temporary directories, removed after the test along with their processes. */
export function shells() {
  const open: { readonly root: string; readonly shell: LocalShell }[] = [];
  return {
    open(options: Partial<LocalShellOptions> = {}) {
      const root = realpathSync(mkdtempSync(join(tmpdir(), 'utensil-shell-test-')));
      const limits = { graceMs: 200, ...options.limits };
      const shell = localShell({ root, sandbox: 'none', login: false, ...options, limits });
      open.push({ root, shell });
      const run = async (command: string, more: { readonly cwd?: string; readonly tty?: boolean } = {}) =>
        outcomeOf(await shell.start({ command, ...more }));
      return { root, shell, run };
    },
    async close(): Promise<void> {
      for (const { root, shell } of open.splice(0)) {
        await shell.close();
        rmSync(root, { recursive: true, force: true });
      }
    },
  };
}

const never = new AbortController().signal;

/** Reads a command to its end. */
export async function outcomeOf(command: ShellCommand): Promise<Outcome> {
  let [text, dropped] = ['', 0];
  for (;;) {
    const read = await command.read(never);
    text += read.text;
    dropped += read.dropped;
    if (read.exit !== undefined) return { text, dropped, exit: read.exit };
  }
}

/** Reads until the output has `part`. */
export async function readUntil(command: ShellCommand, part: string): Promise<string> {
  for (let text = ''; ;) {
    const read = await command.read(never);
    text += read.text;
    if (text.includes(part)) return text;
    if (read.exit !== undefined) throw new Error(`It ended without ${JSON.stringify(part)}: ${JSON.stringify(text)}`);
  }
}

/** An app of its own, which starts a command, waits for its first output, and comes to an end by `last`. */
export async function endApp(
  options: Partial<LocalShellOptions>,
  { command, last }: { readonly command: string; readonly last: string },
): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'utensil-shell-test-'));
  const program = `
    import { localShell } from ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
    const shell = localShell(${JSON.stringify({ root, ...options })});
    const command = await shell.start({ command: ${JSON.stringify(command)} });
    const { text } = await command.read(new AbortController().signal);
    process.stdout.write(text);
    ${last};`;
  const words = ['--conditions=@utensil/source', '--input-type=module', '--eval', program];
  const { stdout } = await new Promise<{ readonly stdout: string }>((resolve) => {
    execFile(process.execPath, words, { timeout: 100_000 }, (_, stdout) => resolve({ stdout }));
  });
  rmSync(root, { recursive: true });
  return stdout;
}

let naps = 0;

/** A command that does nothing for longer than any test, and can be told from all others. */
export function nap(): string {
  return `sleep 300.${process.pid}${Date.now() % 100_000}${naps++}`;
}

/** Number of live processes whose command line contains a text. */
export function alive(text: string): number {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'stat=,args='], { encoding: 'utf8' });
  const lines = stdout.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.endsWith(text) && !line.startsWith('Z') && !line.includes(' -c ')).length;
}
