import { cleanLine, cleanText, webAddress } from '../clean.ts';
import { isBeside } from './main-content.ts';
import type { Measures } from './measure.ts';
import { tableLines } from './table.ts';
import { blockTags } from './tags.ts';
import type { Element, Node } from './tree.ts';
import { createWriter } from './writer.ts';
import type { Writer } from './writer.ts';
import { fenceAround, linkTarget, plainWords } from './words.ts';

/** Options of {@link toMarkdown}. */
export interface MarkdownOptions {
  readonly measures: Measures;
  /** Base URL of relative links. */
  readonly base: string;
  /** True to show images as links. They are never loaded. */
  readonly keepImages: boolean;
  /** True to omit menus, footers and other secondary content. */
  readonly skipBeside: boolean;
}

/** Maximum characters of a link text; a longer one is a section wrapped in a link. */
const longestLink = 300;

const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', em: '_', i: '_', del: '~~', s: '~~' };
const listTags: ReadonlySet<string> = new Set(['ul', 'ol', 'menu', 'dir']);

/** Converts an element to Markdown: headings, paragraphs, lists, quotes, tables, code and absolute links. */
export function toMarkdown(root: Element, options: MarkdownOptions): string {
  const { measures, base, keepImages, skipBeside } = options;
  const writer = createWriter();
  let listDepth = 0;

  function isEmpty(element: Element): boolean {
    const { text, hasImages } = measures.of(element);
    return text === 0 && !(hasImages && keepImages);
  }

  /** Inline content of an element. */
  function inline(element: Element, without: ReadonlySet<string>): string {
    const line = createWriter();
    const add = (node: Node): void => {
      if (typeof node === 'string') return line.text(cleanText(node));
      if (isEmpty(node)) return line.text(' '.repeat(Number(node.name === 'br')));
      if (blockTags.has(node.name)) line.text(' ');
      writeInline(node, line, without);
      if (blockTags.has(node.name)) line.text(' ');
    };
    const writeChildren = (inside: Element): void => inside.children.forEach(add);
    function writeInline(node: Element, to: Writer, marked: ReadonlySet<string>): void {
      const text = special(node, marked);
      if (text === undefined) writeChildren(node);
      else to.markup(text);
    }
    writeChildren(element);
    return line.toString();
  }

  /** Markdown of a link, image, code or marked text; undefined for other elements. */
  function special(element: Element, without: ReadonlySet<string>): string | undefined {
    const { name } = element;
    if (name === 'img') return image(element);
    if (without.has(name)) return undefined;
    if (name === 'a') return link(element, without);
    if (name === 'code' || name === 'kbd' || name === 'samp') return codeLine(element);
    const mark = marks[name];
    return mark === undefined ? undefined : wrapped(inline(element, new Set([...without, ...sameMark(mark)])), mark);
  }

  /** Undefined for a link to the same page. */
  function link(element: Element, without: ReadonlySet<string>): string | undefined {
    const href = element.attributes.get('href');
    const address = href === undefined || href.startsWith('#') ? undefined : webAddress(href, base);
    if (address === undefined) return undefined;
    const text = inline(element, new Set([...without, 'a']));
    return text === '' ? '' : `[${text}](${linkTarget(address)})`;
  }

  function image({ attributes }: Element): string {
    const address = keepImages ? webAddress(attributes.get('src') ?? '', base) : undefined;
    const text = plainWords(cleanLine(attributes.get('alt') ?? ''), '');
    return address === undefined ? '' : `[image: ${text}](${linkTarget(address)})`;
  }

  const nothing: ReadonlySet<string> = new Set();

  function write(node: Node): void {
    if (typeof node === 'string') return writer.text(cleanText(node));
    if (node.name === 'br') return writer.line();
    if (node.name === 'hr') return writer.verbatim('---');
    if (isEmpty(node) || (skipBeside && isBeside(node))) return;
    const writeBlock = blocks[node.name];
    if (writeBlock !== undefined) return writeBlock(node);
    const { hasBlocks, text } = measures.of(node);
    const isWide = hasBlocks && (node.name !== 'a' || text > longestLink);
    const instead = isWide ? undefined : special(node, nothing);
    if (instead !== undefined) return writer.markup(instead);
    if (!blockTags.has(node.name)) return node.children.forEach(write);
    writer.block();
    node.children.forEach(write);
    writer.block();
  }

  function heading(element: Element): void {
    const text = inline(element, nothing);
    writer.block();
    if (text !== '') writer.markup(`${'#'.repeat(Number(element.name.slice(1)))} ${text}`);
    writer.block();
  }

  /** A nested list starts on the next line of its item. */
  function list(element: Element): void {
    if (listDepth === 0) writer.block();
    else writer.line();
    listDepth++;
    let number = Number.parseInt(element.attributes.get('start') ?? '1', 10) || 1;
    for (const child of element.children) {
      if (typeof child === 'string' || listTags.has(child.name)) write(child);
      else if (skipBeside && isBeside(child)) continue;
      else item(element.name === 'ol' ? `${number++}. ` : '- ', child);
    }
    listDepth--;
    if (listDepth === 0) writer.block();
    else writer.line();
  }

  function item(mark: string, element: Element): void {
    if (!isEmpty(element)) writer.nest(mark, ' '.repeat(mark.length), () => element.children.forEach(write));
  }

  function quote(element: Element): void {
    writer.block();
    writer.nest('> ', '> ', () => element.children.forEach(write));
    writer.block();
  }

  function code(element: Element): void {
    const text = cleanText(rawText(element)).replace(/^\n/, '').trimEnd();
    if (text === '') return;
    const fence = fenceAround(text);
    writer.verbatim(`${fence}\n${text}\n${fence}`);
  }

  function table(element: Element): void {
    const lines = tableLines(element, { measures, cell: (each) => inline(each, nothing) });
    writer.block();
    if (lines === undefined) element.children.forEach(write);
    else writer.verbatim(lines.join('\n'));
    writer.block();
  }

  const blocks: Readonly<Record<string, ((element: Element) => void) | undefined>> = {
    ...Object.fromEntries(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, heading])),
    ul: list,
    ol: list,
    menu: list,
    dir: list,
    li: (element) => item('- ', element),
    blockquote: quote,
    pre: code,
    table,
  };

  root.children.forEach(write);
  return writer.toString();
}

function sameMark(mark: string): string[] {
  return Object.keys(marks).filter((name) => marks[name] === mark);
}

function wrapped(text: string, mark: string): string {
  return text === '' ? '' : `${mark}${text}${mark}`;
}

/** Inline code. Renderers disagree about code that contains backticks, so that becomes plain words. */
function codeLine(element: Element): string {
  const text = cleanLine(rawText(element));
  return text.includes('`') ? plainWords(text, ']') : wrapped(text, '`');
}

function rawText(element: Element): string {
  const parts: string[] = [];
  const add = (node: Node): void => {
    if (typeof node === 'string') parts.push(node);
    else if (node.name === 'br') parts.push('\n');
    else node.children.forEach(add);
  };
  add(element);
  return parts.join('');
}
