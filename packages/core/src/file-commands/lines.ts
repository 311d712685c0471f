import { beginningOf } from '../files/edit/abridge.ts';

/** The lines of a text; a line break at its end opens no further one. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Which lines to show, from 1 and both included, and how. */
export interface LinesToShow {
  readonly first: number;
  readonly last: number;
  readonly numbered: boolean;
  /** Characters. */
  readonly limit: number;
}

/** Lines, as many as there was room for. */
export interface ShownLines {
  readonly text: string;
  /** The last one shown; before `first` where there is none to show. */
  readonly last: number;
  /** Set where the only line shown was too long itself: how much of it is shown. */
  readonly cutTo?: number;
}

/** Shows lines, cut between two of them at the limit. At least one is shown, cut itself if it must be. */
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
