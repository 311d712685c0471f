import { UtensilError } from '@utensil/core';
import { childProcesses } from './child-process.ts';
import { readWith } from './reading.ts';
import type { Reading } from './reading.ts';
import { acquireSlot } from './slots.ts';
import { startWebWorker } from './web-worker.ts';

/** Bounds for reading one document. */
export interface PdfLimits {
  /** Pages to read, from the first. Default 500. */
  readonly pages: number;
  /** Characters of text. Default 2,000,000. */
  readonly characters: number;
  /** Bytes of all buffers that reading allocates. Default 128 MiB. */
  readonly unpackedBytes: number;
  /** Milliseconds after the worker is ready. Default 20,000. */
  readonly timeoutMs: number;
}

/** Options of {@link readPdf}. */
export interface ReadPdfOptions {
  /** An abort ends the worker at once. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<PdfLimits>;
}

/** The text of a PDF. */
export interface PdfText {
  /** All pages read, each under a line such as `[page 1]`; empty if no page has text, as in a scan. */
  readonly text: string;
  /** Number of pages that the document says it has. */
  readonly pages: number;
  /** Number of pages that were read, from the first. */
  readonly read: number;
  /** Reason, as a sentence, if damage, time or memory ended the reading before the last page. */
  readonly problem?: string;
}

const defaults: PdfLimits = {
  pages: 500,
  characters: 2_000_000,
  unpackedBytes: 128 * 2 ** 20,
  timeoutMs: 20_000,
};

/**
 * Reads the text of a PDF in a worker: a child process in Node.js, a Web Worker in browsers. The worker ends when it is done,
 * at a limit, and at an abort. Pages read before a limit are returned.
 *
 * @example
 * ```ts
 * import { readPdf } from '@utensil/pdf-text';
 *
 * const bytes = new TextEncoder().encode('%PDF-1.7 and no more');
 * await readPdf(bytes).catch((error) => console.log(error.message)); // The file is damaged, or not a PDF.
 * ```
 * @throws {UtensilError} `EINVAL` if the file is damaged or has a password, `EFBIG` if its first page exceeds a limit,
 *   `tool_failed` if the worker cannot start
 */
export async function readPdf(bytes: Uint8Array, { signal, limits }: ReadPdfOptions = {}): Promise<PdfText> {
  const { timeoutMs, ...within } = { ...defaults, ...limits };
  const start = childProcesses() ?? startWebWorker;
  const slot = await acquireSlot(signal);
  try {
    const reading = await readWith({ start, bytes, limits: within, timeoutMs, signal });
    return textOf(reading, { timeoutMs, ...within });
  } finally {
    slot.release();
  }
}

function textOf({ pages = 0, texts, ending }: Reading, limits: PdfLimits): PdfText {
  const problem = ending === 'end' ? undefined : problems[ending];
  if (problem !== undefined && texts.length === 0) throw new UtensilError(problem.code, problem.message(limits));
  const text = texts.some((each) => each !== '')
    ? texts.map((each, index) => `[page ${index + 1}]\n${each}`).join('\n\n')
    : '';
  return {
    text,
    pages,
    read: texts.length,
    ...(problem !== undefined && { problem: problem.message(limits) }),
  };
}

interface Problem {
  readonly code: 'EINVAL' | 'EFBIG' | 'tool_failed';
  readonly message: (limits: PdfLimits) => string;
}

const memory: Problem = {
  code: 'EFBIG',
  message: ({ unpackedBytes }) =>
    `The PDF takes too much memory to read: the limit is ${(unpackedBytes / 2 ** 20).toLocaleString('en')} MiB.`,
};

const problems: Readonly<Record<Exclude<Reading['ending'], 'end'>, Problem>> = {
  absent: {
    code: 'tool_failed',
    message: () =>
      'The PDF reader cannot start: its program, worker.js of @utensil/pdf-text, must be in the same folder as the code that starts it, and allowed to run. See the README of that package.',
  },
  damaged: { code: 'EINVAL', message: () => 'The file is damaged, or not a PDF.' },
  died: memory,
  memory,
  password: { code: 'EINVAL', message: () => 'The PDF has a password.' },
  time: {
    code: 'EFBIG',
    message: ({ timeoutMs }) => `The PDF takes too long to read: the limit is ${timeoutMs / 1_000} s.`,
  },
};
