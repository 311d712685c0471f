import { Tokenizer } from 'htmlparser2';
import { bodyTags, closedBy, isHidden, unreadTags, voidTags } from './tags.ts';

export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Node[];
}

/** A child of an element: an element or text. */
export type Node = Element | string;

/** A parsed page. */
export interface Page {
  readonly title: string;
  /** Base URL as declared by the page. */
  readonly base: string | undefined;
  /** Description as declared by the page. */
  readonly description: string;
  /** Redirect target as declared by the page. */
  readonly onward: string | undefined;
  /** Frame URLs as declared by the page. */
  readonly frames: readonly string[];
  /** Visible content. */
  readonly body: Element;
}

interface OpenElement extends Element {
  readonly children: Node[];
}

/** Maximum depth. As in browsers, deeper elements become siblings, so that tree walks may recurse. */
const deepest = 128;

/** Maximum characters of an attribute value; longer values are ignored. */
const longestValue = 4_000;

const mostFrames = 10;

const none: ReadonlyMap<string, string> = new Map();

/**
 * Parses any HTML in linear time. Scripts, styles, forms and hidden elements are omitted. Only the tokenizer of the
 * library is used, because its parser takes minutes for a page with a hundred thousand open elements.
 */
export function parsePage(html: string): Page {
  const builder = createBuilder();
  let name = '';
  let attribute = '';
  let value = '';
  let attributes: Map<string, string> | undefined;
  const endTag = (): void => {
    builder.open(name, attributes ?? none);
    attributes = undefined;
  };
  const add = (text: string): void => {
    if (value.length <= longestValue) value += text;
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => void (name = html.slice(start, end).toLowerCase()),
      onattribname(start, end) {
        attribute = html.slice(start, Math.min(end, start + longestValue)).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => add(html.slice(start, Math.min(end, start + longestValue + 1))),
      onattribentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      onattribend() {
        if (value.length > longestValue) return;
        attributes ??= new Map();
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag: (start, end) => builder.close(html.slice(start, end).toLowerCase()),
      ontext: (start, end) => builder.text(html.slice(start, end)),
      ontextentity: (codePoint) => builder.text(String.fromCodePoint(codePoint)),
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return builder.page();
}

function createBuilder() {
  const body: OpenElement = { name: 'body', attributes: none, children: [] };
  const stack: OpenElement[] = [body];
  const title: string[] = [];
  let isTitled = false;
  let base: string | undefined;
  let description = '';
  let onward: string | undefined;
  const frames: string[] = [];

  function note(name: string, attributes: ReadonlyMap<string, string>): void {
    if (name === 'base') base ??= attributes.get('href');
    if ((name === 'frame' || name === 'iframe') && frames.length < mostFrames) frames.push(attributes.get('src') ?? '');
    if (name !== 'meta') return;
    const content = attributes.get('content') ?? '';
    if (attributes.get('http-equiv')?.toLowerCase() === 'refresh')
      onward ??= /^[^;,]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)?.[1];
    const about = attributes.get('name') ?? attributes.get('property');
    if (description === '' && (about === 'description' || about === 'og:description')) description = content;
  }

  /** Closes elements implicitly: the previous item before an item, the paragraph before a block. */
  function closeFor(name: string): void {
    const rule = closedBy(name);
    if (rule === undefined) return;
    let keep = stack.length;
    for (let index = stack.length - 1; index > 0; index--) {
      const open = stack[index]?.name ?? '';
      if (rule.ends.has(open)) keep = index;
      else if (rule.within(open)) break;
    }
    stack.length = keep;
  }

  return {
    open(name: string, attributes: ReadonlyMap<string, string>): void {
      note(name, attributes);
      if (bodyTags.has(name)) return;
      closeFor(name);
      const element: OpenElement = { name, attributes, children: [] };
      if (!unreadTags.has(name) && !isHidden(attributes)) stack.at(-1)?.children.push(element);
      if (!voidTags.has(name) && stack.length < deepest) stack.push(element);
    },
    close(name: string): void {
      if (name === 'title') isTitled = title.length > 0;
      const index = name === 'body' ? 0 : stack.findLastIndex((open) => open.name === name);
      if (index > 0) stack.length = index;
    },
    text(text: string): void {
      const open = stack.at(-1) ?? body;
      if (open.name === 'title' && !isTitled) title.push(text);
      else append(open.children, text);
    },
    page: (): Page => ({ title: title.join(''), base, description, onward, frames, body }),
  };
}

function append(children: Node[], text: string): void {
  const last = children.at(-1);
  if (typeof last === 'string') children[children.length - 1] = last + text;
  else children.push(text);
}
