import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import pc from 'picocolors';
import type { Look } from './call-lines.ts';
import { plain } from './plain.ts';

/** Where a person writes and reads. */
export interface Terminal extends Look {
  write(text: string): void;
  /** The next line; undefined at the end of the input. */
  nextLine(): Promise<string | undefined>;
  /** The answer to a question; undefined at the end of the input, or when the signal fires. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** The streams of a process. */
export interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

/** The terminal of this process. `interrupt` is called for each Ctrl-C. */
export function openTerminal({ input, output }: Streams, interrupt: () => void): Terminal {
  const isPerson = input.isTTY === true && output.isTTY === true;
  const lines: string[] = [];
  let reader: Interface | undefined;
  let isOver = false;
  let waiting: ((line: string | undefined) => void) | undefined;

  function settle(line: string | undefined): void {
    waiting?.(line);
    waiting = undefined;
  }

  /** From the first question on: a request that stands alone leaves the input to others. */
  function open(): Interface {
    const opened = createInterface({ input, output, terminal: isPerson });
    opened.on('line', (line) => (waiting === undefined ? lines.push(line) : settle(line)));
    opened.on('SIGINT', () => {
      interrupt();
      if (waiting === undefined) return;
      opened.write(null, { ctrl: true, name: 'u' }); // what was typed so far is given up
      opened.prompt();
    });
    opened.on('close', () => {
      isOver = true;
      if (isPerson) output.write('\n'); // behind the question that stays open
      settle(undefined);
    });
    return opened;
  }

  function read(prompt: string): Promise<string | undefined> {
    reader ??= open();
    if (isPerson && lines.length === 0 && !isOver) {
      reader.setPrompt(prompt);
      reader.prompt();
    }
    const next = lines.shift();
    if (next !== undefined || isOver) return Promise.resolve(next);
    return new Promise((resolve) => (waiting = resolve));
  }

  /** What others have sent is shown as if it had been typed. */
  async function readShown(prompt: string): Promise<string | undefined> {
    const line = await read(prompt);
    if (!isPerson) output.write(`${prompt}${plain(line ?? '')}\n`);
    return line;
  }

  return {
    colors: pc.createColors(output.isTTY === true && pc.isColorSupported),
    columns: () => Math.max(output.columns || 80, 20),
    write: (text) => void output.write(text),
    nextLine: () => readShown('> '),
    ask(question, signal) {
      if (isPerson) lines.length = 0; // what was typed before a question is no answer to it
      signal.addEventListener('abort', () => settle(undefined), { once: true });
      return signal.aborted ? Promise.resolve(undefined) : readShown(question);
    },
    close: () => reader?.close(),
  };
}
