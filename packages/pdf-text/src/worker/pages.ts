import { getDocumentProxy } from 'unpdf';

/** Pages of a document, numbered from 1. */
export interface Pages {
  readonly count: number;
  text(number: number): Promise<string>;
}

/** Options for text only: no images, no platform fonts, no code generated from a document. */
const options = {
  disableFontFace: true,
  enableXfa: false,
  isEvalSupported: false,
  isImageDecoderSupported: false,
  isOffscreenCanvasSupported: false,
  maxImageSize: 0,
  useWasm: false,
  verbosity: 0,
};

/** Opens a PDF. Errors are the parser's. */
export async function openPages(bytes: Uint8Array): Promise<Pages> {
  const document = await getDocumentProxy(bytes, options);
  return {
    count: document.numPages,
    async text(number) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
      page.cleanup();
      return parts
        .join('')
        .split('\n')
        .map((line) => line.replaceAll(/\s+/g, ' ').trim())
        .join('\n')
        .trim();
    },
  };
}
