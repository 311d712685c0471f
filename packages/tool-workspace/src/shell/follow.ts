import type { Json, ShellCommand, ShellExit } from '@utensil/core';
import { plainText, shownLines } from './plain-text.ts';
import { transcript } from './transcript.ts';

/** How a command is followed. */
export interface Following {
  /** Ends it, with all that it has started. */
  readonly signal: AbortSignal;
  /** Milliseconds to wait for its end. */
  readonly ms: number;
  /** Is told of output as it comes. */
  progress(update: Json): void;
}

/** What a command has written meanwhile, and how it ended if it did. */
export interface Followed {
  readonly output: string;
  readonly exit: ShellExit | undefined;
}

/** In characters: what of a command's output is kept. */
const mostOutput = 200_000;

/** In characters: what is told of one piece of it, and of all pieces. */
const mostProgress = { once: 10_000, all: 200_000 };

/** Reads a command's output until it ends, or until the time is over. */
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
