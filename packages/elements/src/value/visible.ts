import { headOf } from './bounded.ts';

/** A stretch of text: verbatim, or a name for an invisible character. */
export interface Stretch {
  readonly text: string;
  readonly isNamed: boolean;
}

/**
 * Control characters other than line ends, bidirectional marks, zero-width spaces, and characters only for programs.
 */
const unseen =
  /\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|(?<=^|[\u0000-\u007f])[\u200c\u200d]|[\u200c\u200d](?=$|[\u0000-\u007f])/u;
const emptyLines = /\n(?:[ \t]*\r?\n){3,}/;
const manySpaces = /[ \t\u00a0\u2000-\u200a\u3000]{24,}/;
const hidden = new RegExp([unseen, emptyLines, manySpaces].map(({ source }) => source).join('|'), 'gu');

/** Splits a text into stretches; hidden characters, and those that push text out of view, get names. */
export function stretchesOf(text: string): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(hidden)) {
    if (index > end) stretches.push({ text: text.slice(end, index), isNamed: false });
    stretches.push({ text: nameOf(found), isNamed: true });
    end = index + found.length;
  }
  if (end < text.length) stretches.push({ text: text.slice(end), isNamed: false });
  return stretches;
}

/** The first stretches, limited in characters and lines. */
export function firstOf(
  stretches: readonly Stretch[],
  characters: number,
  lines: number,
): { readonly stretches: readonly Stretch[]; readonly isWhole: boolean } {
  const kept: Stretch[] = [];
  let [room, linesLeft] = [characters, lines];
  for (const stretch of stretches) {
    const { text, isWhole } = headOf(stretch.text, room, linesLeft);
    kept.push({ ...stretch, text });
    if (!isWhole) return { stretches: kept, isWhole: false };
    room -= text.length;
    linesLeft -= text.split('\n').length - 1;
  }
  return { stretches: kept, isWhole: true };
}

/** Text with names in place of invisible characters. */
export function visibleText(text: string): string {
  return stretchesOf(text)
    .map((stretch) => stretch.text)
    .join('');
}

/** True if a text contains an invisible character that is usually deceptive. */
export function hasUnseen(text: string): boolean {
  return unseen.test(text);
}

function nameOf(found: string): string {
  if (found.startsWith('\n')) return `\n⟨↵ × ${found.split('\n').length - 2}⟩\n`;
  if (found.length > 2) return `⟨␣ × ${found.length}⟩`;
  return `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

const words = /[\p{Letter}\p{Mark}]+/gu;
const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const latin = /\p{Script=Latin}/u;

/** The first word that mixes alphabets with similar letters, as in a spoofed name. */
export function mixedWord(text: string): string | undefined {
  return text.match(words)?.find((word) => latin.test(word) && alike.test(word));
}
