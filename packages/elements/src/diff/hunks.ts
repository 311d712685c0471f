import { structuredPatch } from 'diff';

/** A line of a diff: in both texts, only in the old one, or only in the new one. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** Line numbers in the old and new text, from 1. */
  readonly oldLine?: number;
  readonly newLine?: number;
}

/** A group of changes with context lines. */
export interface Hunk {
  readonly lines: readonly DiffLine[];
}

const contextLines = 3;
const timeLimit = 200; // milliseconds; after that, everything between the first and last difference counts as changed

/** Hunks of a diff. An absent text is a missing file. */
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

/** True if all line breaks are CRLF: if they are in both texts, they do not count as a difference. */
function isOfWindows(text: string): boolean {
  return text === '' || (text.includes('\r\n') && !/(?<!\r)\n/.test(text));
}

/** Treats everything between the first and last differing lines as changed. */
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
