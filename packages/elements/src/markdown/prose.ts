const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  times: '×',
  deg: '°',
  euro: '€',
  rarr: '→',
  larr: '←',
};

/** What turns the direction of a text around, has no width, or is read by programs only. */
const unseen =
  /[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\u{e0001}]|(?<!\p{Emoji}[\u{e0000}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/gu;

/** A text of prose: character references are characters, and what deceives the eye has a name. */
export function proseOf(text: string): string {
  return seen(decodeReferences(text));
}

/** A text with characters in the place of references to them. */
export function decodeReferences(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, decoded);
}

/** A text with names in the place of what would not be seen. */
export function seen(text: string): string {
  return text.replaceAll(unseen, (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase()}⟩`);
}

function decoded(whole: string, ...[decimal, hex, name]: readonly (string | undefined)[]): string {
  if (name !== undefined) return named[name] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
