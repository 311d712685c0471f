import { messageOf, UtensilError } from '@utensil/core';
import type { Asked } from './ask.ts';
import { decodeText } from './charset.ts';
import { cleanText } from './clean.ts';
import { kindOf, typeOf } from './media.ts';

/** Options of {@link readMedia}. */
export interface ReadMediaOptions {
  /** URL of the response. */
  readonly url: string;
  readonly signal: AbortSignal;
  readonly keepImages: boolean;
  readonly selector: string | undefined;
  readonly timestamps: boolean;
}

/** Readable content of a response. */
export interface ReadMedia {
  readonly title: string;
  readonly text: string;
  /** Notes for the model: requests that could not be met, and related addresses. */
  readonly notes: readonly string[];
}

/**
 * Converts a response to text: a page to Markdown, a PDF page by page, subtitles to their words, other text verbatim.
 *
 * @throws `binary_file` if it is not text
 */
export async function readMedia({ response, bytes, isCut }: Asked, options: ReadMediaOptions): Promise<ReadMedia> {
  const { url, signal, timestamps } = options;
  const contentType = response.headers.get('content-type') ?? '';
  const kind = kindOf({ contentType, url, bytes });
  if (kind === 'binary') throw binary(contentType, sizeText(response.headers.get('content-length'), bytes, isCut));
  if (kind === 'pdf') return pdf(bytes, { isCut, signal });
  const text = decodeText(bytes, contentType);
  if (kind === 'html') return (await import('./html/read-page.ts')).readPage(text, options);
  if (kind === 'text') return { title: '', text: cleanText(text), notes: [] };
  const { readTranscript } = await import('./transcript.ts');
  return { title: '', text: cleanText(readTranscript(cleanText(text), { timestamps })), notes: [] };
}

async function pdf(
  bytes: Uint8Array<ArrayBuffer>,
  { isCut, signal }: { readonly isCut: boolean; readonly signal: AbortSignal },
): Promise<ReadMedia> {
  if (isCut)
    throw new UtensilError(
      'fetch_too_large',
      `The PDF has more than ${count(bytes.length)} bytes, which is the limit.`,
    );
  const { readPdf } = await import('@utensil/pdf-text');
  const { text, pages, read, problem } = await readPdf(bytes, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new UtensilError('fetch_failed', `The PDF cannot be read. ${messageOf(cause)}`, { cause });
  });
  const notes: string[] = [];
  if (text === '') notes.push(`The PDF has no text: its ${pages} pages are images.`);
  else if (read < pages)
    notes.push(`Of ${pages} pages, the first ${read} were read.${problem === undefined ? '' : ` ${problem}`}`);
  return { title: '', text: cleanText(text), notes };
}

function binary(contentType: string, size: string): UtensilError {
  const type = typeOf(contentType) || 'of unknown type';
  return new UtensilError('binary_file', `It is not text: ${type}, ${size}. Only pages, text and PDFs can be read.`);
}

/** Size of a response of which this much was read. */
export function sizeText(contentLength: string | null, bytes: Uint8Array, isCut: boolean): string {
  const said = Number(contentLength ?? Number.NaN);
  if (!isCut) return `${count(bytes.length)} bytes`;
  return said > bytes.length ? `${count(said)} bytes` : `more than ${count(bytes.length)} bytes`;
}

/** A number formatted for people. */
export function count(value: number): string {
  return value.toLocaleString('en');
}
