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

/** Characters that reverse the direction of text, have no width, or are only for programs. */
const unseen =
  /[\u202a-\u202e\u2066-\u2069\u200b\u2060-\u2064\u{e0001}]|(?<!\p{Emoji}[\u{e0000}-\u{e007f}]*)[\u{e0000}-\u{e007f}]/gu;

/** Prose with decoded character references, and names in place of deceptive characters. */
export function proseOf(text: string): string {
  return seen(decodeReferences(text));
}

/** Decodes character references. */
export function decodeReferences(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,8}));/g, decoded);
}

/** Replaces invisible characters by their names. */
export function seen(text: string): string {
  return text.replaceAll(unseen, (found) => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase()}⟩`);
}

function decoded(whole: string, ...[decimal, hex, name]: readonly (string | undefined)[]): string {
  if (name !== undefined) return named[name] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
