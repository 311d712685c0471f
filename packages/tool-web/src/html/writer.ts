import { plainWords } from './words.ts';

/** Writes Markdown: lines, blocks separated by empty lines, and prefixes for lists and quotes. */
export interface Writer {
  /** Adds text to the line and collapses spaces. */
  text(words: string): void;
  /** Adds Markdown to the line and collapses spaces. */
  markup(markdown: string): void;
  /** Starts a new line, unless the line is empty. */
  line(): void;
  /** Starts a new block. */
  block(): void;
  /** Writes lines verbatim, as a block. */
  verbatim(lines: string): void;
  /** Prefixes the output of `write`: its first line with `first`, the others with `rest`. */
  nest(first: string, rest: string, write: () => void): void;
  toString(): string;
}

/**
 * Maximum depth of lists and quotes; deeper ones are flattened, because each line could start with a thousand markers.
 */
const deepest = 8;

/** Creates an empty document. */
export function createWriter(): Writer {
  const lines: string[] = [];
  const nesting: { first: string | undefined; readonly rest: string }[] = [];
  let line: string[] = [];
  let isSpaced = true; // true if the line is empty or ends with a space
  let isBlockDue = false;
  let mayBeAddress = false; // true if following text could be taken for part of the last word's URL

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

  /** The first block of an item starts on its line. */
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

  /** Separates Markdown that would merge: a link after an exclamation mark, code after code. */
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
