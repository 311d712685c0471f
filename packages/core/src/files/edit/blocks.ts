import { UtensilError } from '../../base/errors.ts';
import type { Replacement } from './replacement.ts';

type Marker = 'search' | 'search-all' | 'replace' | 'replace-all';

/** Markers have seven characters. Models write a few more or fewer, and close a marker as they opened it. */
const markers: readonly (readonly [RegExp, Marker])[] = [
  [/^[<-]{5,12} ?SEARCH *[<>-]{0,12}$/, 'search'],
  [/^[<-]{5,12} ?SEARCH_ALL *[<>-]{0,12}$/, 'search-all'],
  [/^[>+]{5,12} ?REPLACE *[>+]{0,12}$/, 'replace'],
  [/^[>+]{5,12} ?REPLACE_ALL *[>+]{0,12}$/, 'replace-all'],
];

interface DiffLine {
  /** Line in the diff, from 1. */
  readonly number: number;
  readonly text: string;
  readonly marker: Marker | 'divider' | undefined;
}

/**
 * Parses SEARCH/REPLACE blocks. The text between markers is whole lines; a block of `SEARCH_ALL` and `REPLACE_ALL`
 * replaces every occurrence. Throws `invalid_input` with the malformed part and its line in the diff.
 *
 * @example
 * ```ts
 * import { readBlocks } from '@utensil/core/edit';
 *
 * const [block] = readBlocks('<<<<<<< SEARCH\nmilk\n=======\nbread\n>>>>>>> REPLACE');
 * console.log(block?.newText); // bread
 * ```
 */
export function readBlocks(diff: string): readonly Replacement[] {
  const blocks: Replacement[] = [];
  let block: DiffLine[] = [];
  for (const line of linesOf(diff)) {
    const [opening] = block;
    const opens = line.marker === 'search' || line.marker === 'search-all';
    if (opening === undefined) {
      if (opens) block = [line];
      else refuseOutside(line);
      continue;
    }
    if (opens) throw unclosed(block, `before the next block begins on line ${line.number}`);
    block.push(line);
    if (line.marker !== 'replace' && line.marker !== 'replace-all') continue;
    blocks.push(toReplacement(block));
    block = [];
  }
  if (block.length > 0) throw unclosed(block, 'before the diff ends');
  if (blocks.length === 0) throw malformed('there is no SEARCH/REPLACE block in it');
  return blocks;
}

function linesOf(diff: string): readonly DiffLine[] {
  return diff.split('\n').map((line, index) => {
    const text = line.replace(/\r$/, '');
    const trimmed = text.trimEnd();
    const marker = markers.find(([pattern]) => pattern.test(trimmed))?.[1];
    return { number: index + 1, text, marker: marker ?? (/^={5,12}$/.test(trimmed) ? 'divider' : undefined) };
  });
}

/** Empty lines and code fences are allowed between blocks. */
function refuseOutside({ text, marker, number }: DiffLine): void {
  if (marker === 'divider') throw malformed(`line ${number} is a =======, but no SEARCH block is open`);
  if (marker !== undefined) throw malformed(`line ${number} ends a block, but no SEARCH block is open`);
  if (text.trim() === '' || /^\s*(?:`{3,40}|~{3,40})[^`]{0,40}$/.test(text)) return;
  throw malformed(`line ${number} is outside of a block: begin each with a line <<<<<<< SEARCH`);
}

function toReplacement(block: readonly DiffLine[]): Replacement {
  const [opening, closing] = [block[0], block.at(-1)];
  const inner = block.slice(1, -1);
  const from = `the block of line ${opening?.number ?? 1}`;
  const all = opening?.marker === 'search-all';
  if (all !== (closing?.marker === 'replace-all'))
    throw malformed(
      `${from} must end with ${all ? 'REPLACE_ALL' : 'REPLACE'}, as it begins with ${all ? 'SEARCH_ALL' : 'SEARCH'}`,
    );
  const [divider, another] = dividersOf(inner);
  if (divider === undefined) throw malformed(`${from} has no ======= between the search text and its replacement`);
  if (another !== undefined)
    throw malformed(
      `${from} has a second ======= on line ${another.number}: edit texts that contain this line without blocks`,
    );
  const at = inner.indexOf(divider);
  const [oldText, newText] = [joined(inner.slice(0, at)), joined(inner.slice(at + 1))];
  if (oldText === '') throw malformed(`${from} has nothing to search for`);
  if (oldText === newText) throw malformed(`${from} replaces a text by itself`);
  return { oldText, newText, lines: true, all };
}

/** If any marker has seven characters, only those are dividers: longer ones may underline a heading. */
function dividersOf(lines: readonly DiffLine[]): readonly DiffLine[] {
  const dividers = lines.filter(({ marker }) => marker === 'divider');
  const proper = dividers.filter(({ text }) => text.trimEnd() === '=======');
  return proper.length > 0 ? proper : dividers;
}

function joined(lines: readonly DiffLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

function unclosed(block: readonly DiffLine[], until: string): UtensilError {
  const missing = dividersOf(block).length === 0 ? '=======' : '>>>>>>> REPLACE';
  return malformed(`the block of line ${block[0]?.number ?? 1} has no ${missing} ${until}`);
}

function malformed(what: string): UtensilError {
  return new UtensilError('invalid_input', `Malformed diff: ${what}.`);
}
