/**
 * What no text needs and no person sees: control characters, marks that turn the direction of text around, and the
 * invisible letters by which a page can talk to a model behind a person's back.
 */
const unseen =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** A text without what cannot be seen; lines end with a line feed. */
export function cleanText(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(unseen, '');
}

/** A text on one line, at most this many characters long. */
export function cleanLine(text: string, most = Infinity): string {
  const line = cleanText(text).replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${wholeStart(line, most - 1).trimEnd()}…` : line;
}

/** The first characters of a text, of which none is split. */
export function wholeStart(text: string, length: number): string {
  return text.slice(0, Math.max(0, length)).replace(/[\uD800-\uDBFF]$/, '');
}

/** The address of a page, absolute; undefined where it is none that can be opened. */
export function webAddress(address: string, base?: string): string | undefined {
  const trimmed = cleanText(address).trim();
  if (!URL.canParse(trimmed, base)) return undefined;
  const url = new URL(trimmed, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
