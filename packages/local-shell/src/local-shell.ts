import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
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
import { markVariable } from './process-tree.ts';
import { inTerminal, tryTerminal } from './terminal.ts';
import { watchdog } from './watchdog.ts';
import type { Watchdog } from './watchdog.ts';

/** The shell of this machine, as long as the app has it open. */
export interface LocalShell extends Shell {
  /** Ends all commands, and waits for that. */
  close(): Promise<void>;
}

/**
 * The shell of this machine, for tools that run commands. Each runs in a sandbox unless the app says `sandbox: 'none'`, and
 * ends with all that it has started.
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
  const { network = false, sandbox = 'required', writable = [] } = options;
  const isSandboxed = sandbox !== 'none';
  const limits = limitsOf(options.limits);
  const commands = new Map<string, RunningCommand>();
  const family = randomUUID();
  let starting = 0;
  let isClosed = false;
  let dog: Watchdog | undefined;
  let tried: Promise<void> | undefined;

  const running = (): readonly RunningCommand[] => [...commands.values()].filter(({ hasEnded }) => !hasEnded);

  function killNow(): void {
    for (const command of running()) command.killNow();
  }

  /** What is to be done should the app end, where there is anything to do. */
  function guard(): void {
    process.off('exit', killNow);
    const left = running();
    if (left.length > 0) process.on('exit', killNow);
    if (isSandboxed) return; // it ends with the app
    if (left.length > 0) dog ??= watchdog(family);
    dog?.watch(left.map(({ pid }) => pid));
  }

  /** A failure is not remembered: what is missing may be installed meanwhile. */
  async function ensureSandbox(plan: SandboxPlan): Promise<void> {
    tried ??= tryBubblewrap(options.bubblewrap ?? 'bwrap', plan);
    await tried.catch((error: unknown) => {
      tried = undefined;
      throw error;
    });
  }

  async function prepare({ command, cwd, tty = false }: ShellRequest) {
    if (process.platform === 'win32')
      throw new UtensilError('EINVAL', 'Commands run on Linux and macOS only: on Windows, run the app in WSL.');
    if (command.includes('\0')) throw new UtensilError('EINVAL', 'The command has a NUL character in it.');
    const root = await realpath(options.root).catch((cause: unknown) => {
      throw new UtensilError('ENOENT', 'The directory of the project is not there.', { cause });
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
      throw new UtensilError('EINVAL', 'The directory of the project is the whole machine: no sandbox can have that.');
    const view = await sandboxPlan(root, { ...options, network, writable });
    await ensureSandbox(view);
    const marked = [
      '/bin/sh',
      '-c',
      `ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null; export ${markVariable}="$2"; shift 2; exec "$@"`,
    ];
    return {
      ...plan,
      words: [
        options.bubblewrap ?? 'bwrap',
        ...bubblewrapArguments(view, directory),
        ...[...marked, 'sh', String(limits.processes), mark, ...words],
      ],
      env,
    };
  }

  async function start(request: ShellRequest): Promise<ShellCommand> {
    if (isClosed) throw new UtensilError('EBADF', 'The shell is closed.');
    for (const [id, { isDone }] of commands) if (isDone) commands.delete(id);
    forgetOldest(commands, limits.commands);
    if (running().length + starting >= limits.commands)
      throw new UtensilError(
        'EBUSY',
        `${limits.commands} commands are running, and there can be no more: wait for one, or stop one.`,
      );
    starting++;
    try {
      const command = await startCommand(await prepare(request));
      commands.set(command.id, command);
      guard();
      void command.ended.then(guard);
      if (isClosed) await command.kill('The app has closed its shell.');
      return command;
    } finally {
      starting--;
    }
  }

  return {
    sandbox: isSandboxed ? sandboxText(network, writable.length > 0) : undefined,
    start,
    find(id) {
      const command = commands.get(id);
      return command?.isDone === true ? undefined : command;
    },
    async close() {
      isClosed = true;
      await Promise.all(running().map((command) => command.kill('The app has closed its shell.')));
      process.off('exit', killNow);
      dog?.close();
    },
  };
}

/** Of commands whose end nobody reads, as many are kept as may run. */
function forgetOldest(commands: Map<string, RunningCommand>, most: number): void {
  const over = [...commands].filter(([, { hasEnded }]) => hasEnded);
  for (const [id] of over.slice(0, Math.max(0, over.length - most))) commands.delete(id);
}

function sandboxText(network: boolean, more: boolean): string {
  const changes = `only the project${more ? ' and what the app names' : ''} can be changed`;
  return `${changes}, home directories are hidden, and the network ${network ? 'can' : 'cannot'} be reached`;
}

async function usualShell(): Promise<string> {
  return access('/bin/bash', constants.X_OK).then(
    () => '/bin/bash',
    () => '/bin/sh',
  );
}

/** Sockets of services are below `/run`, and keys in home directories. Names of the network may need a file of there. */
async function sandboxPlan(
  root: string,
  { network = false, writable = [], readable = [] }: LocalShellOptions,
): Promise<SandboxPlan> {
  const kept = ['/tmp', '/var/tmp', '/run', '/home', '/root', tmpdir(), homedir()];
  const hidden = new Set(await realPaths(kept.filter((path) => existsSync(path))));
  hidden.delete('/');
  const resolver = ['/etc/resolv.conf'].filter((path) => network && existsSync(path));
  return {
    hidden: [...hidden],
    readable: await realPaths([...resolver, ...readable]),
    writable: [root, ...(await realPaths(writable))],
    network,
  };
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  try {
    return await Promise.all(paths.map(async (path) => realpath(path)));
  } catch (cause) {
    throw new UtensilError('ENOENT', 'A path that the app names for the sandbox of its shell is not there.', { cause });
  }
}
