// The parts of a Markdown document that can go stale.

export interface Found {
  readonly text: string;
  readonly line: number;
}

export interface Fence extends Found {
  /** Text after the back quotes. */
  readonly info: string;
}

export interface Markdown {
  /** Link targets. */
  readonly links: readonly Found[];
  /** Inline code. */
  readonly code: readonly Found[];
  readonly fences: readonly Fence[];
  /** Anchors of headings. */
  readonly anchors: readonly string[];
}

export function readMarkdown(text: string): Markdown {
  const { prose, fences } = splitFences(text);
  return {
    fences,
    links: prose.flatMap(({ text: row, line }) =>
      [...row.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(\s*<?([^\s)>]+)/g)].map(([, target = '']) => ({
        text: target,
        line,
      })),
    ),
    code: prose.flatMap(({ text: row, line }) =>
      [...row.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ text: code, line })),
    ),
    anchors: prose.flatMap(({ text: row }) => (/^#+\s+/.test(row) ? [anchorOf(row.replace(/^#+\s+/, ''))] : [])),
  };
}

/** The lines outside of fenced code, and the fenced blocks. */
export function splitFences(text: string): { prose: Found[]; fences: Fence[] } {
  const prose: Found[] = [];
  const fences: Fence[] = [];
  let open: { mark: string; info: string; line: number; rows: string[] } | undefined;
  for (const [index, row] of text.split('\n').entries()) {
    const [, mark = '', info = ''] = /^\s*(`{3,}|~{3,})\s*([^`]*)$/.exec(row) ?? [];
    if (open === undefined && mark === '') prose.push({ text: row, line: index + 1 });
    else if (open === undefined) open = { mark, info: info.trim(), line: index + 1, rows: [] };
    else if (mark.startsWith(open.mark) && info === '') {
      fences.push({ info: open.info, line: open.line, text: open.rows.join('\n') });
      open = undefined;
    } else open.rows.push(row);
  }
  return { prose, fences };
}

/** As code hosts make them: lower case, no punctuation, a hyphen for each blank. */
function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
