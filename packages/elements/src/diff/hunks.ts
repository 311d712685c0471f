import { structuredPatch } from 'diff';

/** A line of a difference: of both texts, of the old one only, or of the new one only. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** From 1, in the old and in the new text. */
  readonly oldLine?: number;
  readonly newLine?: number;
}

/** What of two texts differs, with some lines around it. */
export interface Hunk {
  readonly lines: readonly DiffLine[];
}

const contextLines = 3;
const timeLimit = 500; // milliseconds: beyond it, all of one text stands for all of the other

/** How a text became another, in pieces. An absent text is no file at all. */
export function hunksOf(before = '', after = ''): readonly Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: contextLines, timeout: timeLimit });
  if (patch === undefined) return [{ lines: [...wholly('-', before), ...wholly('+', after)] }];
  return patch.hunks.map((hunk) => {
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    const lines = hunk.lines
      .filter((line) => !line.startsWith('\\'))
      .map((line): DiffLine => {
        const text = line.slice(1);
        if (line.startsWith('-')) return { sign: '-', text, oldLine: oldLine++ };
        if (line.startsWith('+')) return { sign: '+', text, newLine: newLine++ };
        return { sign: ' ', text, oldLine: oldLine++, newLine: newLine++ };
      });
    return { lines };
  });
}

function wholly(sign: '-' | '+', text: string): readonly DiffLine[] {
  return text === ''
    ? []
    : text.split('\n').map((line, index) => ({ sign, text: line, [sign === '-' ? 'oldLine' : 'newLine']: index + 1 }));
}
