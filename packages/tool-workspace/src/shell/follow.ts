import type { Json, ShellCommand, ShellExit } from '@utensil/core';
import { plainText, shownLines } from './plain-text.ts';
import { transcript } from './transcript.ts';

/** Options of {@link follow}. */
export interface Following {
  /** Stops the command and everything it has started. */
  readonly signal: AbortSignal;
  /** Maximum wait in milliseconds. */
  readonly ms: number;
  /** Receives output as it arrives. */
  progress(update: Json): void;
}

/** New output of a command, and its exit if it has ended. */
export interface Followed {
  readonly output: string;
  readonly exit: ShellExit | undefined;
}

/** Maximum characters of output to keep. */
const mostOutput = 200_000;

/** Maximum characters to report as progress: of one piece, and in total. */
const mostProgress = { once: 10_000, all: 200_000 };

/** Reads the output of a command until it ends or the time is over. */
export async function follow(command: ShellCommand, { signal, ms, progress }: Following): Promise<Followed> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  const stop = (): void => void command.kill();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const all = transcript(mostOutput);
  const plain = plainText();
  let told = 0;
  let exit: ShellExit | undefined;
  try {
    do {
      const read = await command.read(over);
      exit = read.exit;
      const text = plain.add(read.text) + (exit === undefined ? '' : plain.end());
      all.add(text, read.dropped);
      if (text === '' || told >= mostProgress.all) continue;
      const piece = text.slice(-mostProgress.once).toWellFormed();
      told += piece.length;
      progress({ output: piece });
    } while (exit === undefined && !over.aborted);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { output: shownLines(all.text()).toWellFormed(), exit };
}
