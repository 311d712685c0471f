import { beginningOf } from '../files/edit/abridge.ts';

/** Lines of a text; a trailing line break opens no further one. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Range of lines to show, from 1 and inclusive, and their presentation. */
export interface LinesToShow {
  readonly first: number;
  readonly last: number;
  readonly numbered: boolean;
  /** Maximum number of characters. */
  readonly limit: number;
}

/** As many lines as fit. */
export interface ShownLines {
  readonly text: string;
  /** The last line shown; before `first` if none is. */
  readonly last: number;
  /** Set if the only line shown was itself too long: the length of the shown part. */
  readonly cutTo?: number;
}

/** Shows lines up to the limit, cut at a line boundary. Shows at least one line, itself cut if necessary. */
export function showLines(lines: readonly string[], { first, last, numbered, limit }: LinesToShow): ShownLines {
  const shown: string[] = [];
  let room = limit;
  for (let number = first; number <= last; number++) {
    const line = lines[number - 1] ?? '';
    const prefix = numbered ? `${String(number).padStart(6)}\t` : '';
    if (line.length > room && shown.length === 0) {
      const cut = beginningOf(line, limit);
      return { text: prefix + cut, last: number, cutTo: cut.length };
    }
    room -= prefix.length + line.length + 1;
    if (room < -1 && shown.length > 0) break;
    shown.push(prefix + line);
  }
  return { text: shown.join('\n'), last: first + shown.length - 1 };
}
