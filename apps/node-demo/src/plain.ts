/**
 * Control characters (which start terminal sequences), bidi controls, and lone surrogates. A carriage return at the end
 * of a line is not shown at all.
 */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Untrusted text made safe to print to a terminal: unsafe characters are replaced by a symbol. */
export function plain(text: string): string {
  return text.replaceAll(/\r(?=\n|$)/g, '').replaceAll(unsafe, symbolOf);
}

function symbolOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code === 0x7f) return '␡';
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '�';
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, ' ').trim();
}

/** Lines of a text, with tabs as spaces. */
export function plainLines(text: string): readonly string[] {
  return plain(text).replace(/\n+$/, '').replaceAll('\t', '  ').split('\n');
}

/** The part of a line that fits into a number of columns. */
export function fit(line: string, columns: number): string {
  let used = 0;
  let fitting = ''; // one column for the ellipsis
  for (const character of line) {
    used += columnsOf(character);
    if (used > columns) return `${fitting}…`;
    if (used < columns) fitting += character;
  }
  return line;
}

/** Wraps a line between words; a word that is too wide stays whole. */
export function wrap(line: string, columns: number): readonly string[] {
  const [first = '', ...words] = line.split(' ');
  const wrapped = [first];
  for (const word of words) {
    const longer = `${wrapped.at(-1)} ${word}`;
    if (widthOf(longer) <= columns) wrapped.splice(-1, 1, longer);
    else wrapped.push(word);
  }
  return wrapped;
}

function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (/\p{Mark}|\u200d/u.test(character)) return 0;
  return /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u.test(
    character,
  )
    ? 2
    : 1;
}
