/** An independent part of a Markdown text: blocks between empty lines, or one fenced code block. */
export interface Segment {
  readonly start: number;
  readonly text: string;
  /** For fenced code. */
  readonly fence?: Fence;
}

export interface Fence {
  readonly language: string;
  readonly code: string;
  readonly isClosed: boolean;
}

interface Mark {
  readonly mark: string;
  readonly indent: number;
  readonly language: string;
}

const opening = /^( {0,3})(`{3,}|~{3,})([^\n]*)$/;
const listMark = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)/;

/**
 * Splits a text into segments. `previous`: segments of the text that it extends; all but the last two stay the same
 * objects, and only the rest is parsed.
 */
export function segmentsOf(text: string, previous: readonly Segment[] = []): readonly Segment[] {
  const kept = previous.slice(0, -2); // the last one may turn out to be part of a larger one
  const last = kept.at(-1);
  return [...kept, ...cut(text, last === undefined ? 0 : last.start + last.text.length)];
}

function cut(text: string, from: number): readonly Segment[] {
  const segments: Segment[] = [];
  let start = from;
  let fence: Mark | undefined;
  let isEmptyBefore = false;
  let isList = false;
  let at = from;

  function end(before: number): void {
    if (before > start) segments.push(segment(text, { start, end: before, fence }));
    start = before;
    isEmptyBefore = false;
    isList = false;
  }

  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline + 1;
    const line = text.slice(at, newline === -1 ? next : newline);
    if (fence !== undefined) {
      if (closes(line, fence)) {
        end(next);
        fence = undefined;
      }
    } else {
      const opened = openingOf(line, isList);
      if (opened !== undefined) {
        end(at);
        fence = opened;
      } else if (isEmptyBefore && /^\S/.test(line) && !(isList && listMark.test(line))) end(at);
      if (at === start) isList = listMark.test(line.trimStart());
      isEmptyBefore = line.trim() === '';
    }
    at = next;
  }
  end(text.length);
  return segments;
}

/** Fenced code in a list belongs to the list, unless it starts at the margin. */
function openingOf(line: string, isList: boolean): Mark | undefined {
  const [, indent = '', mark = '', info = ''] = opening.exec(line) ?? [];
  if (mark === '' || (isList && indent !== '') || (mark.startsWith('`') && info.includes('`'))) return undefined;
  return { mark, indent: indent.length, language: info.trim().split(/\s/)[0] ?? '' };
}

function closes(line: string, { mark }: Mark): boolean {
  const found = line.trim();
  const isIndented = line.length - line.trimStart().length > 3;
  return !isIndented && found.length >= mark.length && found === mark.charAt(0).repeat(found.length);
}

function segment(
  whole: string,
  { start, end, fence }: { readonly start: number; readonly end: number; readonly fence: Mark | undefined },
): Segment {
  const text = whole.slice(start, end);
  if (fence === undefined) return { start, text };
  const lines = text.split('\n');
  lines.shift();
  if (lines.at(-1) === '') lines.pop();
  const isClosed = closes(lines.at(-1) ?? '', fence);
  if (isClosed) lines.pop();
  const indentation = new RegExp(`^ {0,${fence.indent}}`);
  const code = fence.indent === 0 ? lines : lines.map((line) => line.replace(indentation, ''));
  return { start, text, fence: { language: fence.language, code: code.join('\n'), isClosed } };
}
