import type { LineBreak } from './line-breaks.ts';

/** What a cursor needs of a text. */
export type SearchableText = Pick<string, 'indexOf' | 'charAt'>;

/**
 * The line of each offset of a text. Offsets asked for in ascending order cost one pass over the text, however many
 * there are and however long its lines; a smaller one starts again at the beginning.
 */
export interface LineCursor {
  /** The line of an offset, from 1. */
  lineAt(offset: number): number;
  /** The line break that belongs to an offset: the next one, else the last one before it. */
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
