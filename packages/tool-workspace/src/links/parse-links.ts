import { parser } from '@lezer/markdown';
import type { InlineContext } from '@lezer/markdown';
import { mostCost, parseCost } from './parse-cost.ts';

/** A link to another file, as written in a Markdown text. */
export interface WrittenLink {
  readonly kind: 'path' | 'wiki';
  /** Range of the destination: of a wiki link, the text between its brackets. */
  readonly start: number;
  readonly end: number;
}

const wikiLink = /\[\[[^[\]\n]{1,300}\]\]/y;

/** Brackets without a destination, as in `[Smith [2020]](a.md)`: the parser takes them for a link, which contains none. */
const plainBrackets = /\[[^[\]`<\\\n]{0,300}\](?![[(])/y;

/** Markdown with wiki links and embeds, which are part of the text, not of code or HTML. A node has the text in the brackets. */
const markdown = /* @__PURE__ */ parser.configure({
  defineNodes: ['WikiLink'],
  parseInline: [{ name: 'WikiLink', parse: readBrackets, before: 'Link' }],
});

function readBrackets(context: InlineContext, next: number, position: number): number {
  const { text, offset } = context;
  const start = (next === 33 /* ! */ ? position + 1 : position) - offset;
  if (text[start] !== '[') return -1;
  const end = endOf(wikiLink, text, start);
  if (end !== -1) return text[end] === '(' ? -1 : readWikiLink(context, start, end);
  const outer = text[start - 2] === '\\' ? -1 : endOf(wikiLink, text, start - 1);
  if (outer !== -1 && text[outer] === '(') return readWikiLink(context, start - 1, outer) - 1; // [[1]](a.md) is a link
  const plain = next === 33 ? -1 : endOf(plainBrackets, text, start);
  return plain === -1 ? -1 : plain + offset;
}

function readWikiLink(context: InlineContext, start: number, end: number): number {
  const { offset } = context;
  context.addElement(context.elt('WikiLink', start + 2 + offset, end - 2 + offset));
  return end + offset;
}

function endOf(pattern: RegExp, text: string, start: number): number {
  if (start < 0) return -1;
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** Time left for several notes, in the unit of {@link parseCost}. */
export interface ParseRoom {
  left: number;
}

/**
 * Finds the links of a note in order, by a Markdown parser: those in code, HTML and comments are left out. Of front
 * matter, only wiki links. Undefined if the note would take the parser too long.
 */
export async function linksOf(
  text: string,
  pause: () => Promise<void> | undefined,
  room: ParseRoom = { left: mostCost },
): Promise<readonly WrittenLink[] | undefined> {
  if (!/\]\(|\]:|\[\[/.test(text)) return [];
  const head = /^---\r?\n(?:[^]*?\r?\n)?---(?:\r?\n|$)/.exec(text)?.[0] ?? '';
  const body = text.slice(head.length);
  const cost = parseCost(body);
  if (cost > Math.min(mostCost, room.left)) return undefined;
  room.left -= cost;
  const found = [...wikiLinksIn(head)];
  const parse = markdown.startParse(body);
  try {
    let tree = parse.advance();
    for (; tree === null; tree = parse.advance()) await pause();
    addLinks(found, tree, { text: body, offset: head.length });
  } catch (error) {
    if (error instanceof RangeError) return undefined; // nested too deeply for the stack
    throw error;
  }
  return found;
}

/** Wiki links in a text, those in code included. */
export function* wikiLinksIn(text: string): Generator<WrittenLink> {
  for (const {
    0: { length },
    index,
  } of text.matchAll(new RegExp(wikiLink.source, 'g')))
    yield { kind: 'wiki', start: index + 2, end: index + length - 2 };
}

type Tree = ReturnType<typeof markdown.parse>;

function addLinks(
  found: WrittenLink[],
  tree: Tree,
  { text, offset }: { readonly text: string; readonly offset: number },
) {
  tree.iterate({
    enter: ({ name, from, to, node }) => {
      const [start, end] = [from + offset, to + offset];
      if (name === 'WikiLink') found.push({ kind: 'wiki', start, end });
      const parent = node.parent?.name;
      if (name === 'URL' && parent !== 'Autolink' && parent !== undefined) found.push({ kind: 'path', start, end });
      const label = name === 'LinkReference' ? /^\[\^[^\]]*\]:/.exec(text.slice(from, to))?.[0] : undefined;
      if (label === undefined) return true;
      const footnote = text.slice(from + label.length, to);
      addLinks(found, markdown.parse(footnote), { text: footnote, offset: start + label.length });
      return false;
    },
  });
}
