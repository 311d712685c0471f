import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { messageOf, UtensilError } from '@utensil/core';
import type { ShellCommand, ShellExit } from '@utensil/core';
import { changes } from './changes.ts';
import type { ShellLimits } from './options.ts';
import { outputBuffer } from './output-buffer.ts';
import type { OutputBuffer } from './output-buffer.ts';

import { askTree, killTree } from './process-tree.ts';
import type { ProcessTree } from './process-tree.ts';
import { openRelays } from './relay.ts';
import type { Relays } from './relay.ts';

/** Start parameters of a command. */
export interface CommandPlan {
  readonly id: string;
  readonly command: string;
  readonly tty: boolean;
  /** Program and arguments. */
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** See {@link ProcessTree}. */
  readonly mark: string;
  readonly isSandbox: boolean;
  readonly limits: ShellLimits;
}

/** A command, with members for its shell only. */
export interface RunningCommand extends ShellCommand {
  readonly pid: number;
  /** Resolves once all of its processes have ended. */
  readonly ended: Promise<void>;
  readonly hasEnded: boolean;
  /** True once its end was read. */
  readonly isDone: boolean;
  kill(reason?: string): Promise<void>;
}

/** In milliseconds: time to collect output before readers are notified. */
const gatherMs = 30;

/** In milliseconds: time to wait for late output after all processes have ended, from one that escaped. */
const lastOutputMs = 300;

/** In milliseconds: pause of reading if nobody takes the output. */
const restMs = 10;

/** Starts a command. */
export async function startCommand(plan: CommandPlan): Promise<RunningCommand> {
  const { isSandbox, limits, id, command, tty, mark } = plan;
  const { child, relays } = await launch(plan);
  const tree: ProcessTree = { pid: Number(child.pid), mark, isSandbox };
  const change = changes();
  const buffer = outputBuffer(limits.outputCharacters);
  let exit: ShellExit | undefined;
  let reason: string | undefined;
  let isDone = false;
  let killing: NodeJS.Timeout | undefined;

  keepOutput(relays.output, buffer, change.tell);
  const input = inputOf(relays.input, limits.inputCharacters);

  function ask(why?: string): void {
    if (exit !== undefined || killing !== undefined) return;
    reason ??= why;
    askTree(tree, 'SIGTERM');
    killing = setTimeout(() => killTree(tree), limits.graceMs);
  }

  const lifetime =
    limits.lifetimeMs > 0
      ? setTimeout(() => ask(`Timeout after ${limits.lifetimeMs / 1_000} seconds.`), limits.lifetimeMs)
      : undefined;

  async function end(): Promise<void> {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    clearTimeout(lifetime);
    clearTimeout(killing);
    killTree(tree);
    relays.input.destroy();
    await closed(relays);
    exit = {
      ...(code !== null && { code }),
      ...(signal !== null && { signal }),
      ...(reason !== undefined && { reason }),
    };
    change.tell();
  }
  const ended = end();

  return {
    id,
    command,
    tty,
    startedAt: Date.now(),
    pid: tree.pid,
    ended,
    get hasEnded() {
      return exit !== undefined;
    },
    get isDone() {
      return isDone;
    },
    async read(signal) {
      const isOver = (): boolean => exit !== undefined || signal.aborted;
      while (buffer.isEmpty && !isOver()) await change.next(signal);
      const until = Date.now() + gatherMs;
      for (let left = gatherMs; left > 0 && !isOver() && !buffer.isFull; left = until - Date.now())
        await change.next(signal, left);
      isDone = exit !== undefined;
      return { ...buffer.take(), ...(exit !== undefined && { exit }) };
    },
    write: async (text) => input.write(text),
    end: async () => (tty ? input.write('\u0004') : input.end()),
    interrupt: async () => (tty ? input.write('\u0003') : askTree(tree, 'SIGINT')),
    async kill(why) {
      ask(why);
      await ended;
    },
  };
}

interface Launched {
  readonly child: ChildProcess;
  readonly relays: Relays;
}

/** Standard output and standard error share one pipe, which preserves their order. */
async function launch({ words, cwd, env }: CommandPlan): Promise<Launched> {
  const [program = '', ...parameters] = words;
  let relays: Relays | undefined;
  try {
    relays = await openRelays();
    const { input, output } = relays.command;
    const child = spawn(program, parameters, { cwd, env, detached: true, stdio: [input, output, output] });
    await once(child, 'spawn');
    return { child, relays };
  } catch (cause) {
    relays?.close();
    throw new UtensilError('EIO', `The command could not be started: ${codeOf(cause)}.`, { cause });
  } finally {
    relays?.release();
  }
}

/** Output of a command as text; invalid bytes become U+FFFD. */
function keepOutput(stdout: Readable, buffer: OutputBuffer, tell: () => void): void {
  const decoder = new StringDecoder('utf8');
  stdout.on('error', () => undefined);
  stdout.on('data', (bytes: Buffer) => {
    buffer.add(decoder.write(bytes));
    tell();
    if (!buffer.isFull) return;
    stdout.pause();
    setTimeout(() => stdout.resume(), restMs);
  });
  stdout.once('end', () => buffer.add(decoder.end()));
}

function inputOf(stdin: Writable, most: number) {
  stdin.on('error', () => undefined); // the command has closed it
  return {
    write(text: string): void {
      if (!stdin.writable) throw new UtensilError('EBADF', 'The input of the command is closed.');
      if (stdin.writableLength + text.length > most)
        throw new UtensilError('EBUSY', 'The command does not read its input: nothing more can be written to it.');
      stdin.write(text);
    },
    end(): void {
      stdin.end();
    },
  };
}

/** Waits for the end of the output. */
async function closed({ output, close }: Relays): Promise<void> {
  const timer = setTimeout(() => output.destroy(), lastOutputMs);
  if (!output.closed) await new Promise<void>((resolve) => void output.once('close', resolve));
  clearTimeout(timer);
  close();
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : messageOf(cause);
}
