import { UtensilError } from '@utensil/core';
import { childProcesses } from './child-process.ts';
import { takePlace } from './places.ts';
import { readWith } from './reading.ts';
import type { Reading } from './reading.ts';
import { startWebWorker } from './web-worker.ts';

/** Bounds for reading one document. */
export interface PdfLimits {
  /** Default 500. */
  readonly pages: number;
  /** Default 2,000,000. */
  readonly characters: number;
  /** Bytes that it may unpack to, in all. Default 128 MiB. */
  readonly unpackedBytes: number;
  /** Milliseconds, once the worker is there. Default 20,000. */
  readonly timeoutMs: number;
}

/** Options of {@link readPdf}. */
export interface ReadPdfOptions {
  readonly signal?: AbortSignal;
  readonly limits?: Partial<PdfLimits>;
}

/** The text of a PDF. */
export interface PdfText {
  /** Page by page, each under its number; empty if there is none, as in a scan. */
  readonly text: string;
  readonly pages: number;
  /** Number of pages that were read, from the first. */
  readonly read: number;
  /** Reason for which the others were not, as a sentence. */
  readonly problem?: string;
}

const defaults: PdfLimits = {
  pages: 500,
  characters: 2_000_000,
  unpackedBytes: 128 * 2 ** 20,
  timeoutMs: 20_000,
};

/**
 * Reads the text of a PDF in a worker: a process of its own on Node.js, a Web Worker in browsers. The worker is ended when
 * it is done, at a limit, and at an abort; what was read up to a limit is given.
 *
 * @example
 * ```ts
 * import { readPdf } from '@utensil/pdf-text';
 *
 * const bytes = new TextEncoder().encode('%PDF-1.7 and no more');
 * await readPdf(bytes).catch((error) => console.log(error.message)); // It is damaged, or is no PDF.
 * ```
 * @throws {UtensilError} `EINVAL` if it is damaged or has a password, `EFBIG` if its first page is beyond a limit, `tool_failed` if
 *   the worker cannot start
 */
export async function readPdf(bytes: Uint8Array, { signal, limits }: ReadPdfOptions = {}): Promise<PdfText> {
  const { timeoutMs, ...within } = { ...defaults, ...limits };
  const start = childProcesses() ?? startWebWorker;
  const place = await takePlace(signal);
  try {
    const reading = await readWith({ start, bytes, limits: within, timeoutMs, signal });
    return textOf(reading, { timeoutMs, ...within });
  } finally {
    place.free();
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
    `It takes more memory than a PDF may: ${(unpackedBytes / 2 ** 20).toLocaleString('en')} MiB are the limit.`,
};

const problems: Readonly<Record<Exclude<Reading['ending'], 'end'>, Problem>> = {
  absent: {
    code: 'tool_failed',
    message: () =>
      'The reader of PDFs cannot start: its program, worker.js of @utensil/pdf-text, has to lie beside the code that starts it, and to be allowed to run. See the README of that package.',
  },
  damaged: { code: 'EINVAL', message: () => 'It is damaged, or is no PDF.' },
  died: memory,
  memory,
  password: { code: 'EINVAL', message: () => 'It has a password.' },
  time: {
    code: 'EFBIG',
    message: ({ timeoutMs }) => `It takes longer to read than a PDF may: ${timeoutMs / 1_000} s are the limit.`,
  },
};
