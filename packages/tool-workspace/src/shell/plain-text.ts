/** What controls a terminal and is no text: colours, titles, links, movements. */
const sequence =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b\n]*(?:\u0007|\u001b\\)|\u001b[PX^_][^\u001b]*\u001b\\|\u001b[ -/]*[0-~]/g;

/** The beginning of such a sequence, at the end of a piece. */
const unfinished = /\u001b(?:\[[0-?]*[ -/]*|\][^\u0007\u001b\n]*\u001b?|[PX^_][^\u001b]*\u001b?|[ -/]*)$/;

/** Every other control character but tabs and ends of lines. */
const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** In characters: a sequence that is longer is text. */
const longestSequence = 1_000;

/** Takes out of text that comes in pieces whatever would control a terminal. */
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

/** Lines as a terminal would show them in the end: what was written over is gone. */
export function shownLines(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const written = line.replace(/\r+$/, '');
      return written.slice(written.lastIndexOf('\r') + 1);
    })
    .join('\n');
}

/** A command as one may look at it: characters that nobody sees, or that turn the others around, are written out. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`,
  );
}
