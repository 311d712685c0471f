/** Lines of a text, from 1, inclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The two kinds of line break. */
export type LineBreak = '\n' | '\r\n';

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

export function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

/** Number of line breaks in a text. */
export function countBreaks(text: string): number {
  let count = 0;
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) count++;
  return count;
}

/** Line breaks that are not at the end. */
export function innerBreaks(text: string): number {
  return countBreaks(text) - (text.endsWith('\n') ? 1 : 0);
}
