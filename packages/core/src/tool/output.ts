import type { Eventually } from '../base/eventually.ts';
import type { Json } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import { wellFormed } from '../model/well-formed.ts';
import type { ReadBack } from './gap.ts';
import { gapIn, gapText, wholeAt } from './gap.ts';

/** A JSON value as text for the model: strings unchanged, everything else as JSON. */
export function toText(output: Json): string {
  if (output === null || output === '') return '(no output)';
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/** Default limit of a result's text for the model, in characters. */
const usualLimit = 100_000;

/** Lower bound in characters: less would tell a model too little, whatever its context window. */
const leastLimit = 2_000;

/** Limit of a result's text: about a quarter of the context window, at most the default. */
export function outputLimitFor(contextWindow = usualLimit): number {
  return Math.min(usualLimit, Math.max(leastLimit, contextWindow)); // about four characters per token
}

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
  return import('./cut-parts.ts').then(({ cutParts }) => cutParts(parts, Math.max(0, limit), readBack));
}

/** Head and tail of a text, `limit` characters together, and the length of the gap. */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [from, to] = gapIn(text.length, limit);
  const head = text.slice(0, wholeAt(text, from));
  const tail = text.slice(wholeAt(text, to));
  return `${head}\n${gapText(text.length - head.length - tail.length, text.length)}\n${tail}`;
}

/** Redacts known secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret.trim() !== '').sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}

/** A secret in all its spellings: plain, in a URL, and in JSON. */
export function formsOf(secret: string): readonly string[] {
  const inAddress = encodeURIComponent(wellFormed(secret));
  return [...new Set([secret, inAddress, inAddress.replaceAll('%20', '+'), JSON.stringify(secret).slice(1, -1)])];
}
