import { gapIn, gapText, wholeAt } from './gap.ts';

/** Head and tail of a text, `limit` characters together, and the length of the gap. */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [from, to] = gapIn(text.length, limit);
  const head = text.slice(0, wholeAt(text, from));
  const tail = text.slice(wholeAt(text, to));
  return `${head}\n${gapText(text.length - head.length - tail.length, text.length)}\n${tail}`;
}
