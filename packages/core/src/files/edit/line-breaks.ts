/** Lines of a text, from 1, both included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The two line breaks that a text can have. */
export type LineBreak = '\n' | '\r\n';

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

export function toCrlf(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r\n');
}

/** How many line breaks there are between two offsets. */
export function countBreaks(text: string, from = 0, to = text.length): number {
  let count = 0;
  for (let index = text.indexOf('\n', from); index !== -1 && index < to; index = text.indexOf('\n', index + 1)) count++;
  return count;
}

/** Those that are not at the end. */
export function innerBreaks(text: string): number {
  return countBreaks(text) - (text.endsWith('\n') ? 1 : 0);
}

/** The line break that belongs to a place in a text: the first within it, else the next one, else the one before it. */
export function lineBreakAt(text: string, start: number): LineBreak {
  const next = text.indexOf('\n', start);
  const index = next === -1 ? text.lastIndexOf('\n', start) : next;
  return index > 0 && text[index - 1] === '\r' ? '\r\n' : '\n';
}
