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
const timeLimit = 200; // milliseconds: beyond it, all between the first and the last difference stands for one

/** How a text became another, in pieces. An absent text is no file at all. */
export function hunksOf(before = '', after = ''): readonly Hunk[] {
  const areOfWindows = isOfWindows(before) && isOfWindows(after);
  const [old = '', now = ''] = areOfWindows
    ? [before, after].map((text) => text.replaceAll('\r\n', '\n'))
    : [before, after];
  const patch = structuredPatch('', '', old, now, '', '', { context: contextLines, timeout: timeLimit });
  if (patch === undefined) return [changedAsOne(old.split('\n'), now.split('\n'))];
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

/** Whether lines end as on Windows, all of them: where both texts do so, it is nothing that differs. */
function isOfWindows(text: string): boolean {
  return text === '' || (text.includes('\r\n') && !/(?<!\r)\n/.test(text));
}

/** What is between the first and the last line that differ, as if all of it did. */
function changedAsOne(old: readonly string[], now: readonly string[]): Hunk {
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  return {
    lines: [
      ...removed.map((text, at): DiffLine => ({ sign: '-', text, oldLine: start + at + 1 })),
      ...added.map((text, at): DiffLine => ({ sign: '+', text, newLine: start + at + 1 })),
    ],
  };
}
