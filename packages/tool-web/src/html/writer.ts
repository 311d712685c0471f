import { plainWords } from './words.ts';

/** Writes Markdown: lines, blocks with an empty line between, and what stands before each line of a list or a quote. */
export interface Writer {
  /** Adds words of the page to the line; spaces become one. */
  text(words: string): void;
  /** Adds Markdown to the line; spaces become one. */
  markup(markdown: string): void;
  /** Begins a new line, where the line has something. */
  line(): void;
  /** Begins a new block. */
  block(): void;
  /** Writes lines as they are, as a block. */
  verbatim(lines: string): void;
  /** What `write` writes stands behind `first` on its first line, and behind `rest` on the others. */
  nest(first: string, rest: string, write: () => void): void;
  toString(): string;
}

/** Lists and quotes that are deeper are written as deep as this: else each line could begin with a thousand marks. */
const deepest = 8;

/** Begins an empty text. */
export function createWriter(): Writer {
  const lines: string[] = [];
  const nesting: { first: string | undefined; readonly rest: string }[] = [];
  let line: string[] = [];
  let isSpaced = true; // the line is empty, or ends with a space
  let isBlockDue = false;
  let mayBeAddress = false; // the last word of the line: what follows it could be taken for a part of it

  function put(content: string): void {
    const prefix = nesting.map((each) => each.first ?? each.rest).join('');
    if (isBlockDue && lines.length > 0)
      lines.push(
        nesting
          .map((each) => (each.first === undefined ? each.rest : ''))
          .join('')
          .trimEnd(),
      );
    isBlockDue = false;
    for (const each of nesting) each.first = undefined;
    lines.push(`${prefix}${content}`.trimEnd());
  }

  function endLine(): void {
    const content = line.join('').trimEnd();
    line = [];
    isSpaced = true;
    mayBeAddress = false;
    if (content !== '') put(content);
  }

  /** The first block of an item begins in its line. */
  function beginBlock(): void {
    endLine();
    isBlockDue ||= nesting.at(-1)?.first === undefined;
  }

  function add(text: string, toMarkdown: (text: string, before: string) => string): void {
    const spaced = text.replaceAll(/[^\S\u00A0]+/g, ' ');
    const added = isSpaced ? spaced.trimStart() : spaced;
    if (added === '') return;
    line.push(toMarkdown(added, line.at(-1) ?? ''));
    const word = added.slice(added.lastIndexOf(' ') + 1);
    mayBeAddress = /[:.@]/.test(word) || (mayBeAddress && word.length === added.length);
    isSpaced = added.endsWith(' ');
  }

  /** A link after an exclamation mark would be an image, code after code one with it. */
  function apart(markdown: string, before: string): string {
    const isJoined =
      (markdown.startsWith('[') && before.endsWith('!')) ||
      (markdown.startsWith('`') && before.endsWith('`')) ||
      (mayBeAddress && /[`[\\]/.test(markdown));
    return isJoined ? ` ${markdown}` : markdown;
  }

  return {
    text: (words) => add(words, plainWords),
    markup: (markdown) => add(markdown, apart),
    line: endLine,
    block: beginBlock,
    verbatim(text) {
      beginBlock();
      for (const each of text.split('\n')) put(each);
      isBlockDue = true;
    },
    nest(first, rest, write) {
      endLine();
      if (nesting.length >= deepest) return write();
      nesting.push({ first, rest });
      write();
      endLine();
      nesting.pop();
    },
    toString() {
      endLine();
      return lines.join('\n');
    },
  };
}
