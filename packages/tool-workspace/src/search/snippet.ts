import { lineBreak } from '../pattern/line-finder.ts';
import type { FoundLine } from '../pattern/line-finder.ts';

/** Matching lines of a file with their context. */
export interface Snippet {
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly last: number;
  /** Long lines are truncated around their match. */
  readonly lines: readonly string[];
}

/** Options of {@link snippetsOf}. */
export interface SnippetOptions {
  /** Lines before and after each match. */
  readonly context: number;
  readonly most: number;
}

/** Maximum length of a line, and the length to truncate longer ones to. */
const [longest, excerpt] = [150, 120];

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true });

interface NumberedLine extends FoundLine {
  readonly number: number;
}

/** Snippets of matches, in order; adjacent ones are merged. */
export function snippetsOf(
  bytes: Uint8Array,
  hits: readonly FoundLine[],
  { context, most }: SnippetOptions,
): readonly Snippet[] {
  return groupsOf(numbered(bytes, hits), { context, most }).map((group) => toSnippet(bytes, group, context));
}

/** Matches with line numbers. */
function numbered(bytes: Uint8Array, hits: readonly FoundLine[]): readonly NumberedLine[] {
  let [line, at] = [1, 0];
  return hits.map((hit) => {
    for (let next = lineBreak(bytes, at); next < hit.start; next = lineBreak(bytes, at)) {
      line++;
      at = next + 1;
    }
    return { ...hit, number: line };
  });
}

/** Groups of matches, one per snippet. */
function groupsOf(hits: readonly NumberedLine[], { context, most }: SnippetOptions): readonly NumberedLine[][] {
  const groups: NumberedLine[][] = [];
  for (const hit of hits) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (group !== undefined && last !== undefined && hit.number - last.number <= 2 * context + 1) group.push(hit);
    else if (groups.length >= most) break;
    else groups.push([hit]);
  }
  return groups;
}

function toSnippet(bytes: Uint8Array, group: readonly NumberedLine[], context: number): Snippet {
  const [head, tail] = [group[0] as NumberedLine, group.at(-1) as NumberedLine];
  const places = new Map(group.map(({ number, at }) => [number, at]));
  let [start, first] = [head.start, head.number];
  for (; start > 0 && first > head.number - context; first--) {
    start = start === 1 ? 0 : bytes.lastIndexOf(10, start - 2) + 1;
  }
  const lines: string[] = [];
  for (let number = first; number <= tail.number + context && start < bytes.length; number++) {
    const end = lineBreak(bytes, start);
    lines.push(cutLine(bytes.subarray(start, end), (places.get(number) ?? start) - start));
    start = end + 1;
  }
  return { first, last: first + lines.length - 1, lines };
}

/** A line, or an excerpt around a position in it. */
function cutLine(bytes: Uint8Array, at: number): string {
  const text = decoder.decode(bytes).replace(/\r$/, '');
  if (text.length <= longest) return text;
  const place = decoder.decode(bytes.subarray(0, at)).length;
  const from = Math.trunc(Math.max(0, Math.min(place - excerpt / 2, text.length - excerpt)));
  const shown = text
    .slice(from, from + excerpt)
    .replace(/^[\udc00-\udfff]/, '')
    .replace(/[\ud800-\udbff]$/, '');
  return `${from > 0 ? '…' : ''}${shown}${from + excerpt < text.length ? '…' : ''}`;
}
