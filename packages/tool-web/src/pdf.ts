import { getDocumentProxy } from 'unpdf';
import { cleanText } from './clean.ts';

/** What a PDF says. */
export interface PdfText {
  readonly text: string;
  readonly pages: number;
  /** How many of them were read. */
  readonly read: number;
}

const mostPages = 500;
const mostText = 2_000_000;

/**
 * The text of a PDF, page by page; empty where it has none, as a scan has not.
 *
 * @throws what the parser throws on what is no PDF, is broken or has a password
 */
export async function readPdf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<PdfText> {
  const pdf = await getDocumentProxy(bytes, { maxImageSize: 0, verbosity: 0 });
  try {
    const texts: string[] = [];
    let length = 0;
    while (texts.length < Math.min(pdf.numPages, mostPages) && length < mostText) {
      signal.throwIfAborted();
      const text = await pageText(pdf, texts.length + 1);
      length += text.length;
      texts.push(text);
    }
    const isEmpty = texts.every((text) => text === '');
    const text = texts.map((text, index) => `[page ${index + 1}]\n${text}`).join('\n\n');
    return { text: isEmpty ? '' : text, pages: pdf.numPages, read: texts.length };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

async function pageText(pdf: Awaited<ReturnType<typeof getDocumentProxy>>, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
  page.cleanup();
  const lines = cleanText(parts.join('')).split('\n');
  return lines
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .join('\n')
    .trim();
}
