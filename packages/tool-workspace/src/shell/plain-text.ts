/** Terminal control sequences: colors, titles, links, cursor movements. */
const sequence =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\|\u001b[ -/]*[0-~]/g;

/** The start of an escape sequence at the end of a chunk. */
const unfinished = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b\n]*\u001b?|[PX^_][^\u001b]*\u001b?|[ -/]*)$/;

/** Other control characters, except tabs and line ends. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** In characters: a longer sequence is treated as text. */
const longestSequence = 1_000;

/** Removes terminal control sequences from text that arrives in chunks. */
export function plainText(): { add(piece: string): string; end(): string } {
  let held = '';
  const plain = (text: string): string => text.replaceAll(sequence, '').replaceAll(control, '');
  return {
    add(piece) {
      const text = held + piece;
      const from = Math.max(0, text.length - longestSequence);
      const found = text.slice(from).search(unfinished);
      const until = found < 0 ? text.length : from + found;
      held = text.slice(until);
      return plain(text.slice(0, until));
    },
    end: () => plain(held),
  };
}

/** Lines as a terminal finally shows them, without overwritten text. */
export function shownLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const written = line.replace(/\r+$/, '');
      return written.slice(written.lastIndexOf('\r') + 1);
    })
    .join('\n');
}

/** A command with invisible and bidirectional characters made visible. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
  );
}
