import { dialects, writeCall } from '@utensil/text-dialects';
import type { Dialect, Grammar } from '@utensil/text-dialects';

// Texts for the scanner: prose, calls, and delimiters that are repeated, truncated and nested.

const line =
  'The quick brown fox jumps over the lazy dog, and then it rests (for a while) in the shade; nobody minds.\n';

/** Markdown as models write it: code, links, lists, tables, brackets and signs in a sentence. */
const page = [
  '## Reading a file\n',
  'To read a file, call `readFile(path)` and check its result: it is `undefined` if there is *no* such file [1].',
  'See the [documentation](https://example.com/docs) for "all" options; e.g. a < b, or x > y && y >= 0.\n',
  '```ts',
  "import { readFile } from 'node:fs/promises';",
  'export async function load(path: string): Promise<Map<string, number[]>> {',
  "  const items = JSON.parse(await readFile(path, 'utf8')) as { id: number; name: string }[];",
  '  return new Map(items.filter((each) => each.id > 0 && items[0] !== each).map(({ id, name }) => [name, [id]]));',
  '}',
  '```\n',
  '- The first point: 100 % of users want {this} or [that].',
  '- The second: `<div class="a">text</div>` is HTML.\n',
  '| Option | Default | Meaning |',
  '| --- | --- | --- |',
  '| `mode` | `"fast"` | how (and when) it reads |\n\n',
].join('\n');

/** Number of characters of a hostile text. */
export const hostileLength = 100_000;

export function prose(length: number, round: number): string {
  return filled(`${round} ${line}`, length);
}

export function markdown(length: number, round: number): string {
  return filled(`${round} ${page}`, length);
}

/** Calls of one dialect that write files of 1 KB, and some prose before each. */
export function callHeavy(length: number, dialect: Dialect): string {
  const content = line.repeat(10);
  const call = writeCall({ name: 'write_file', input: { path: 'notes.md', content } }, dialect);
  return filled(`${line}\n${call}\n`, length);
}

/** Texts of {@link hostileLength} characters by their names. */
export function hostileTexts(): ReadonlyMap<string, string> {
  const texts = new Map<string, string>([['prose', prose(hostileLength, 0)]]);
  for (const word of delimiters()) {
    for (const piece of piecesOf(word)) texts.set(`${JSON.stringify(piece)} repeated`, filled(piece, hostileLength));
    texts.set(`${JSON.stringify(word)} and an open string`, filled(word + openCall, hostileLength, 'x'));
    texts.set(`${JSON.stringify(word)} and nested objects`, filled(word, hostileLength, '{"a":'));
  }
  return texts;
}

const openCall = '{"name": "read_file", "arguments": {"path": "';

function piecesOf(word: string): readonly string[] {
  const pieces = [word, `\n${word}`, word.slice(0, -1), word.slice(0, Math.ceil(word.length / 2)), word + openCall];
  return pieces.filter((piece) => piece.trim() !== '');
}

function filled(start: string, length: number, piece = start): string {
  return (start + piece.repeat(Math.ceil(length / piece.length))).slice(0, length);
}

/** The delimiters of every dialect that is read in `auto`, and the beginnings of its calls. */
function delimiters(): readonly string[] {
  const all = Object.values<Dialect>(dialects).filter(({ inAuto }) => inAuto !== false);
  return [...new Set(all.flatMap(delimitersOf))].filter((word) => word.trim() !== '');
}

function delimitersOf({ grammar, also = [], thoughts, begins, ends = [], hidden = [], result }: Dialect) {
  const others = [thoughts?.open ?? '', thoughts?.close ?? '', begins ?? '', result.open, result.close];
  return [...[grammar, ...also].flatMap(wordsOf), ...others, ...ends, ...hidden].map((word) => named(word));
}

/** The words of a grammar, and all in the order of a call, each a little longer. */
function wordsOf(grammar: Grammar): readonly string[] {
  switch (grammar.kind) {
    case 'tags': {
      const { frame = ['', ''], call, parameter } = grammar;
      const begun = [call[0], named(parameter[0], 'path'), 'x', named(parameter[1], 'path'), call[1]];
      return [...frame, ...call, ...parameter, ...begun.map((_, index) => begun.slice(0, index + 1).join(''))];
    }
    case 'named':
      return [...grammar.open, ...grammar.close, ...(grammar.frame ?? [])];
    case 'lines':
      return [grammar.fence, grammar.rule, `${grammar.fence}{name}\n`];
    case 'json':
      return [grammar.open || '{', grammar.close, grammar.between ?? '', '[{'];
    case 'python':
      return [grammar.open || '[', grammar.close, `${grammar.open}[{name}(`, `${grammar.open}[{name}()]`];
    case 'braces':
      return [grammar.open, grammar.close, `${grammar.open}{name}{path:${grammar.quote}`];
    case 'keyed':
      return [grammar.open, grammar.close];
  }
}

function named(template: string, name = 'read_file'): string {
  return template.replaceAll('{name}', name).replaceAll('{id}', '0');
}
