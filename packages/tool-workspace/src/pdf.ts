import { getDocumentProxy } from 'unpdf';

/** What a PDF says. */
export interface PdfText {
  readonly text: string;
  readonly pages: number;
}

const mostPages = 1_000;
const mostText = 5_000_000;

/** The text of a PDF, page by page; empty where it has none, as a scan has not. Throws what its parser throws. */
export async function readPdf(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), { maxImageSize: 0, verbosity: 0 });
  try {
    const texts: string[] = [];
    let length = 0;
    for (let number = 1; number <= Math.min(pdf.numPages, mostPages) && length < mostText; number++) {
      signal.throwIfAborted();
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
      page.cleanup();
      texts.push(text.replaceAll(/[^\S\n]+/g, ' ').trim());
      length += text.length;
    }
    const isEmpty = texts.every((text) => text === '');
    const text = texts.map((each, index) => `[page ${index + 1}]\n${each}`).join('\n\n');
    return { text: isEmpty ? '' : text, pages: pdf.numPages };
  } finally {
    await pdf.loadingTask.destroy();
  }
}
