export { readPdf } from './read-pdf.ts';
export type { PdfLimits, PdfText, ReadPdfOptions } from './read-pdf.ts';
