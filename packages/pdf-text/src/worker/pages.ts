import { getDocumentProxy } from 'unpdf';

/** The pages of a document, from 1. */
export interface Pages {
  readonly count: number;
  text(number: number): Promise<string>;
}

/** Nothing that is not needed for text: no images, no fonts of the platform's, no code made of a document. */
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

/** Opens a PDF. Throws what the parser throws. */
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
