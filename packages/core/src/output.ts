import type { Json } from './json.ts';
import type { ContentPart } from './message.ts';

/** A JSON value as text for the model: a string as it is, everything else as JSON. */
export function toText(output: Json): string {
  if (output === null || output === '') return '(no output)';
  return typeof output === 'string' ? output : JSON.stringify(output);
}

/**
 * Cuts the text of a tool's answer to `limit` characters in all: of a text that is too long, the head, the tail, and how
 * much is missing between.
 */
export function boundParts(parts: readonly ContentPart[], limit: number): readonly ContentPart[] {
  let left = Math.max(0, limit);
  return parts.map((part) => {
    if (part.type !== 'text' || part.text.length <= left) {
      if (part.type === 'text') left -= part.text.length;
      return part;
    }
    const text = boundText(part.text, left);
    left = 0;
    return { ...part, text };
  });
}

/** The head and the tail of a text, `limit` characters together, and how much is missing between. */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = text.slice(0, wholeAt(text, Math.ceil(limit * 0.7)));
  const tail = text.slice(wholeAt(text, text.length - Math.floor(limit * 0.3)));
  const missing = text.length - head.length - tail.length;
  return `${head}\n[… ${missing} of ${text.length} characters left out here: ask for less at a time, or for a part …]\n${tail}`;
}

/** The nearest place, not after `index`, that does not split a surrogate pair. */
function wholeAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

/** Paths of the host (`/home/…`, `C:\\Users\\…`, `file://…`) and stack lines: nothing for a model to know. */
const hostPath =
  /(?:file:\/\/)?(?:\/(?:home|Users|root|usr|var|opt|tmp|private|etc|mnt|srv)\/|\b[A-Za-z]:\\)[^\s'"`)\]]*/g;
const stackLine = /\n\s+at .*/g;

/** The message of a foreign error without stack lines and paths of the host. */
export function withoutHost(message: string): string {
  return message.replace(stackLine, '').replace(hostPath, '[path]');
}

/** A message without the secrets that are known. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  const longestFirst = secrets.filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return longestFirst.reduce((text, secret) => text.replaceAll(secret, '[secret]'), message);
}
