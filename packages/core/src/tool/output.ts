import type { Eventually } from '../base/eventually.ts';
import type { Json } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import { wellFormed } from '../model/well-formed.ts';
import type { ReadBack } from './gap.ts';
import { gapIn, gapText, wholeAt } from './gap.ts';

/** A JSON value as text for the model: a string as it is, everything else as JSON. */
export function toText(output: Json): string {
  if (output === null || output === '') return '(no output)';
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Default length of a result that a model sees, in characters. */
const usualLimit = 100_000;

/** In characters: less than this tells a model too little, whatever its context window. */
const leastLimit = 2_000;

/** How many characters a result may have: about a quarter of the context window, and never more than is usual. */
export function outputLimitFor(contextWindow = usualLimit): number {
  return Math.min(usualLimit, Math.max(leastLimit, contextWindow)); // four characters are about a token
}

/**
 * Bounds the text of a tool's answer to `limit` characters in all. Of what is too long: the head, the tail, and between
 * them how much is missing. With `readBack`, a sentence that says how to read it, also which characters those are, counted
 * over all texts of the answer. Base64 is not cut: its type, size and hash stand in its place. Links of an answer that is
 * too long become text, and so does an image, a recording or a file that is too large for any API.
 */
export function boundParts(
  parts: readonly ContentPart[],
  limit: number,
  readBack?: ReadBack,
): Eventually<readonly ContentPart[]> {
  const least = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : Infinity), 0);
  if (least <= limit) return parts;
  return import('./cut-parts.ts').then(({ cutParts }) => cutParts(parts, Math.max(0, limit), readBack));
}

/** The head and the tail of a text, `limit` characters together, and how much is missing between. */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [from, to] = gapIn(text.length, limit);
  const head = text.slice(0, wholeAt(text, from));
  const tail = text.slice(wholeAt(text, to));
  return `${head}\n${gapText(text.length - head.length - tail.length, text.length)}\n${tail}`;
}

/** A text without the secrets that are known. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret.trim() !== '').sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** A secret as it may be written: as it is, in an address, and in JSON. */
export function formsOf(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(wellFormed(secret));
  return [...new Set([secret, inAddress, inAddress.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1)])];
}
