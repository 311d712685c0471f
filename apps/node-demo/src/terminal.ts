import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import pc from 'picocolors';
import type { Look } from './call-lines.ts';
import { plain } from './plain.ts';

/** Input and output of a person. */
export interface Terminal extends Look {
  /** True if a person is at the terminal: both input and output are interactive. */
  readonly isPerson: boolean;
  /** Colours for results on the standard output; undefined if results and everything else share one terminal. */
  readonly resultLook: Look | undefined;
  /** Writes banner, calls, questions and notes: to the terminal, or to the standard error. */
  write(text: string): void;
  /** Writes an answer or the result of a command, always to the standard output. */
  writeResult(text: string): void;
  /** The next line; undefined at the end of the input. */
  nextLine(): Promise<string | undefined>;
  /**
   * While some work is under way, passes each line to a function first, even if a question is open. A line that it
   * accepts goes nowhere else.
   */
  during<Result>(take: (line: string) => boolean, work: () => Promise<Result>): Promise<Result>;
  /** The answer to a question; undefined at the end of the input, or when the signal fires. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined>;
  /** Runs work that asks, when no other work does: questions of calls may come at the same time. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

/** Streams of a process. */
export interface Streams {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Output;
  readonly errors: Output;
}

type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Lines of a file or pipe have unlimited width. */
const unlimited = 1_000_000;

/** The terminal of this process. `interrupt` is called for each Ctrl-C. */
export function openTerminal({ input, output, errors }: Streams, interrupt: () => void): Terminal {
  const isShared = output.isTTY === true;
  const face = isShared ? output : errors;
  const isPerson = input.isTTY === true && face.isTTY === true;
  const lines: string[] = [];
  let reader: Interface | undefined;
  let isOver = false;
  let waiting: ((line: string | undefined) => void) | undefined;
  let take: ((line: string) => boolean) | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();
  let asked = ''; // the pending prompt

  function settle(line: string | undefined): void {
    waiting?.(line);
    waiting = undefined;
  }

  /** Opened with the first question: a single request leaves the input to other programs. */
  function open(): Interface {
    const opened = createInterface({ input, output: face, terminal: isPerson });
    opened.on('line', (line) => {
      if (take?.(plain(line)) === true) return repeatQuestion(opened);
      if (waiting === undefined) lines.push(line);
      else settle(line);
    });
    opened.on('SIGINT', () => {
      interrupt();
      if (waiting === undefined) return;
      opened.write(null, { ctrl: true, name: 'u' }); // discards what was typed so far
      opened.prompt();
    });
    opened.on('close', () => {
      isOver = true;
      if (isPerson) face.write('\n'); // after the question, which stays open
      settle(undefined);
    });
    return opened;
  }

  /** Output printed meanwhile stands between a question and its answer. */
  function repeatQuestion(opened: Interface): void {
    if (waiting === undefined) return;
    if (isPerson) opened.prompt();
    else face.write(asked);
  }

  function read(prompt: string): Promise<string | undefined> {
    reader ??= open();
    asked = prompt;
    if (isPerson && lines.length === 0 && !isOver) {
      reader.setPrompt(prompt);
      reader.prompt();
    }
    const next = lines.shift();
    if (next !== undefined || isOver) return Promise.resolve(next);
    return new Promise((resolve) => (waiting = resolve));
  }

  /** Echoes piped input as if it had been typed. */
  async function readShown(prompt: string): Promise<string | undefined> {
    if (!isPerson) face.write(prompt);
    const line = await read(prompt);
    if (!isPerson) face.write(`${plain(line ?? '')}\n`);
    return line;
  }

  return {
    isPerson,
    colors: pc.createColors(face.isTTY === true && pc.isColorSupported),
    columns: () => Math.max(face.columns || 80, 20),
    resultLook: isShared ? undefined : { colors: pc.createColors(false), columns: () => unlimited },
    write: (text) => void face.write(text),
    writeResult: (text) => void output.write(text),
    nextLine: () => readShown('> '),
    async during(taking, work) {
      if (isPerson) reader ??= open(); // a single request has asked nothing yet
      take = taking;
      try {
        return await work();
      } finally {
        take = undefined;
      }
    },
    async ask(question, signal) {
      if (signal.aborted) return undefined;
      if (isPerson) lines.length = 0; // input typed before a question is not an answer to it
      const leave = (): void => settle(undefined);
      signal.addEventListener('abort', leave, { once: true });
      const line = await readShown(question);
      signal.removeEventListener('abort', leave);
      return line;
    },
    inTurn(work) {
      const turn = lastTurn.then(work);
      lastTurn = turn.catch(() => undefined);
      return turn;
    },
    close: () => reader?.close(),
  };
}
