import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { UtensilError } from '@utensil/core';
import type { Shell, ShellCommand, ShellRequest } from '@utensil/core';
import { bubblewrapArguments, tryBubblewrap } from './bubblewrap.ts';
import type { SandboxPlan } from './bubblewrap.ts';
import { startCommand } from './command.ts';
import type { RunningCommand } from './command.ts';
import { directoryIn } from './directory.ts';
import { environmentOf } from './environment.ts';
import { limitsOf } from './options.ts';
import type { LocalShellOptions } from './options.ts';
import { markVariable, sandboxVariable } from './process-tree.ts';
import { markedWords, sandboxPlan, sandboxText } from './sandbox-plan.ts';
import { inTerminal, tryTerminal } from './terminal.ts';
import { watchdog } from './watchdog.ts';
import type { Watchdog } from './watchdog.ts';

/** A shell on this machine, usable until it is closed. */
export interface LocalShell extends Shell {
  /** Stops all commands and waits for their end. */
  close(): Promise<void>;
}

/**
 * Creates a shell on this machine for tools that run commands. Commands run in a sandbox unless the app passes
 * `sandbox: 'none'`, and everything that a command has started ends with it.
 *
 * @example
 * ```ts
 * import { localShell } from '@utensil/local-shell';
 *
 * const shell = localShell({ root: '.', sandbox: 'none' });
 * const command = await shell.start({ command: 'echo $((6 * 7))' });
 * let output = '';
 * for (let exit; exit === undefined; ) {
 *   const read = await command.read(AbortSignal.timeout(10_000));
 *   output += read.text;
 *   exit = read.exit;
 * }
 * console.log(output); // 42
 * await shell.close();
 * ```
 */
export function localShell(options: LocalShellOptions): LocalShell {
  const { sandbox = 'required', bubblewrap = 'bwrap' } = options;
  const isSandboxed = sandbox !== 'none';
  const limits = limitsOf(options.limits);
  const commands = new Map<string, RunningCommand>();
  const family = randomUUID();
  let starting = 0;
  let isClosed = false;
  let dog: Watchdog | undefined;
  let tried: Promise<void> | undefined;

  const running = (): readonly RunningCommand[] => [...commands.values()].filter(({ hasEnded }) => !hasEnded);

  /** Registers processes that must end with the app, even after a crash. A sandbox does so by itself. */
  function guard(): void {
    if (isSandboxed) return;
    const groups = running().map(({ pid }) => pid);
    if (groups.length > 0) dog ??= watchdog(family);
    dog?.watch(groups);
  }

  /** A failure is not cached, because the missing program may be installed later. */
  async function ensureSandbox(plan: SandboxPlan): Promise<void> {
    tried ??= tryBubblewrap(bubblewrap, plan);
    await tried.catch((error: unknown) => {
      tried = undefined;
      throw error;
    });
  }

  async function prepare({ command, cwd, tty = false }: ShellRequest) {
    if (process.platform === 'win32')
      throw new UtensilError(
        'EINVAL',
        'Commands are supported only on Linux and macOS: on Windows, run the app in WSL.',
      );
    if (command.includes('\0')) throw new UtensilError('EINVAL', 'The command contains a NUL character.');
    const root = await realpath(options.root).catch((cause: unknown) => {
      throw new UtensilError('ENOENT', 'The directory of the project does not exist.', { cause });
    });
    const directory = await directoryIn(root, cwd);
    const shell = options.shell ?? (await usualShell());
    const id = randomUUID().slice(0, 8);
    const mark = `${family}.${id}`;
    const flag = (options.login ?? true) ? '-lc' : '-c';
    if (tty) await tryTerminal();
    const words = tty ? inTerminal([shell, flag, command]) : [shell, flag, command];
    const env = environmentOf(process.env, { shell, tty, sandboxed: isSandboxed, more: options.env ?? {} });
    const plan = { id, command, tty, cwd: directory, mark, isSandbox: isSandboxed, limits };
    if (!isSandboxed) return { ...plan, words, env: { ...env, [markVariable]: mark } };
    if (root === '/')
      throw new UtensilError(
        'EINVAL',
        'The directory of the project is the root of the machine, which cannot be sandboxed.',
      );
    const view = await sandboxPlan(root, options);
    await ensureSandbox(view);
    const inside = markedWords(words, { mark, processes: limits.processes });
    const outside = [bubblewrap, ...bubblewrapArguments(view, directory)];
    return { ...plan, words: [...outside, ...inside], env: { ...env, [sandboxVariable]: mark } };
  }

  async function start(request: ShellRequest): Promise<ShellCommand> {
    if (isClosed) throw closedError();
    for (const [id, { isDone }] of commands) if (isDone) commands.delete(id);
    forgetOldest(commands, limits.commands);
    if (running().length + starting >= limits.commands)
      throw new UtensilError(
        'EBUSY',
        `${limits.commands} commands are running, which is the limit: wait for one, or stop one.`,
      );
    starting++;
    try {
      const command = await startCommand(await prepare(request));
      if (isClosed) {
        await command.kill();
        throw closedError();
      }
      commands.set(command.id, command);
      guard();
      void command.ended.then(guard);
      return command;
    } finally {
      starting--;
    }
  }

  return {
    sandbox: isSandboxed ? sandboxText(options) : undefined,
    start,
    find(id) {
      const command = commands.get(id);
      return command?.isDone === true ? undefined : command;
    },
    async close() {
      isClosed = true;
      await Promise.all(running().map((command) => command.kill('The app has closed its shell.')));
      dog?.close();
    },
  };
}

/** Number of ended, unread commands to keep: as many as may run. */
function forgetOldest(commands: Map<string, RunningCommand>, most: number): void {
  const over = [...commands].filter(([, { hasEnded }]) => hasEnded);
  for (const [id] of over.slice(0, Math.max(0, over.length - most))) commands.delete(id);
}

function closedError(): UtensilError {
  return new UtensilError('EBADF', 'The shell is closed.');
}

async function usualShell(): Promise<string> {
  return access('/bin/bash', constants.X_OK).then(
    () => '/bin/bash',
    () => '/bin/sh',
  );
}
