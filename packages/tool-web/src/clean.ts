/**
 * Invisible characters: control characters, bidirectional marks, and invisible letters with which a page could address
 * a model unnoticed.
 */
const unseen =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** Removes invisible characters and normalizes line breaks to line feeds. */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(unseen, '');
}

/** A text on one line, truncated to a maximum length. */
export function cleanLine(text: string, most = Infinity): string {
  const line = cleanText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${wholeStart(line, most - 1).trimEnd()}…` : line;
}

/** The start of a text, without splitting a character. */
export function wholeStart(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/[\uD800-\uDBFF]$/, '');
}

/** Absolute URL of a page; undefined if it cannot be opened. */
export function webAddress(address: string, base?: string): string | undefined {
  const trimmed = cleanText(address).trim();
  if (!URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
