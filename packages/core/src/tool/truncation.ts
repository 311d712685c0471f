import type { Eventually } from '../base/eventually.ts';
import type { ContentPart } from '../model/message.ts';
import type { ReadBack } from './gap.ts';
import { gapIn, gapText, wholeAt } from './gap.ts';

/**
 * Limits the text of a tool's result to `limit` characters in total. Longer text is reduced to its head and tail, with
 * a note on how much is missing between them. With `readBack`, the note also says how to read the gap, and which
 * characters it comprises, counted over all texts of the result. Base64 is not shortened, but replaced by its type,
 * size and hash. In a result that is too long, links become text; images, recordings and files become text if they are
 * too large for any API.
 */
export function boundParts(
  parts: readonly ContentPart[],
  limit: number,
  readBack?: ReadBack,
): Eventually<readonly ContentPart[]> {
  const least = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : Infinity), 0);
  if (least <= limit) return parts;
  return import('./truncated-parts.ts').then(({ cutParts }) => cutParts(parts, Math.max(0, limit), readBack));
}

/** Head and tail of a text, `limit` characters together, and the length of the gap. */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [from, to] = gapIn(text.length, limit);
  const head = text.slice(0, wholeAt(text, from));
  const tail = text.slice(wholeAt(text, to));
  return `${head}\n${gapText(text.length - head.length - tail.length, text.length)}\n${tail}`;
}
