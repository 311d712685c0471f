import type { LineBreak } from './line-breaks.ts';

/** The part of a text that a cursor needs. */
export type SearchableText = Pick<string, 'indexOf' | 'charAt'>;

/**
 * Maps offsets of a text to lines. Ascending offsets cost one pass over the text, whatever their number and the length
 * of its lines; a smaller offset restarts at the beginning.
 */
export interface LineCursor {
  /** Line of an offset, from 1. */
  lineAt(offset: number): number;
  /** Line break that belongs to an offset: the next one, else the last one before it. */
  breakAt(offset: number): LineBreak;
}

export function createLineCursor(text: SearchableText): LineCursor {
  const first = text.indexOf('\n');
  let [line, before, next] = [1, -1, first];

  function moveTo(offset: number): void {
    if (offset <= before) [line, before, next] = [1, -1, first];
    while (next !== -1 && next < offset) {
      line++;
      before = next;
      next = text.indexOf('\n', next + 1);
    }
  }

  return {
    lineAt(offset) {
      moveTo(offset);
      return line;
    },
    breakAt(offset) {
      moveTo(offset);
      const lineFeed = next === -1 ? before : next;
      return lineFeed > 0 && text.charAt(lineFeed - 1) === '\r' ? '\r\n' : '\n';
    },
  };
}
