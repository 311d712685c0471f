import { parser } from '@lezer/markdown';
import type { InlineContext } from '@lezer/markdown';

/** A link to another file, as written in a Markdown text. */
export interface WrittenLink {
  readonly kind: 'path' | 'wiki';
  /** Range of the destination: of a wiki link, the text between its brackets. */
  readonly start: number;
  readonly end: number;
}

const wikiLink = /\[\[[^[\]\n]{1,300}\]\]/y;

/** Markdown with wiki links and embeds, which are part of the text, not of code or HTML. */
const markdown = /* @__PURE__ */ parser.configure({
  defineNodes: ['WikiLink'],
  parseInline: [{ name: 'WikiLink', parse: readWikiLink, before: 'Link' }],
});

function readWikiLink(context: InlineContext, next: number, position: number): number {
  const start = next === 33 /* ! */ ? position + 1 : position;
  const end = endOfWikiLink(context.text, start - context.offset);
  return end === -1 ? -1 : context.addElement(context.elt('WikiLink', start, end + context.offset));
}

function endOfWikiLink(text: string, start: number): number {
  if (!text.startsWith('[[', start)) return -1;
  wikiLink.lastIndex = start;
  return wikiLink.test(text) ? wikiLink.lastIndex : -1;
}

/** Limit of a parse: the time of a block grows with the square of its marks, to about a second for all of these. */
const mostCost = 10_000 ** 2;

/** Separators of blocks: a blank line, the beginning of a list item. */
const blocks = /\n[ \t\r]*\n|\n(?=[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t])/;

/**
 * Finds the links of a note in order, by a Markdown parser: those in code, HTML and comments are left out. Of front
 * matter, only wiki links. Undefined if the note would take the parser too long.
 */
export async function linksOf(
  text: string,
  pause: () => Promise<void> | undefined,
): Promise<readonly WrittenLink[] | undefined> {
  if (!/\]\(|\]:|\[\[/.test(text)) return [];
  const head = /^---\r?\n(?:[^]*?\r?\n)?---(?:\r?\n|$)/.exec(text)?.[0] ?? '';
  const body = text.slice(head.length);
  if (isCostly(body)) return undefined;
  const found = [...wikiLinksIn(head)];
  const parse = markdown.startParse(body);
  try {
    let tree = parse.advance();
    for (; tree === null; tree = parse.advance()) await pause();
    tree.iterate({
      enter: ({ name, from, to, node }) => {
        const [start, end] = [from + head.length, to + head.length];
        if (name === 'WikiLink') found.push({ kind: 'wiki', start: start + 2, end: end - 2 });
        const parent = node.parent?.name;
        if (name !== 'URL' || parent === 'Autolink' || parent === undefined) return;
        const isFootnote = parent === 'LinkReference' && body.startsWith('[^', node.parent?.from);
        if (!isFootnote) found.push({ kind: 'path', start, end });
      },
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined; // nested too deeply for the stack
    throw error;
  }
  return found;
}

function* wikiLinksIn(text: string): Generator<WrittenLink> {
  for (const {
    0: { length },
    index,
  } of text.matchAll(new RegExp(wikiLink.source, 'g')))
    yield { kind: 'wiki', start: index + 2, end: index + length - 2 };
}

function isCostly(text: string): boolean {
  const marks = text.split(blocks).map((block) => block.replace(/[^[\]()!*_`<>]+/g, '').length);
  return marks.reduce((sum, count) => sum + count ** 2, 0) > mostCost;
}
