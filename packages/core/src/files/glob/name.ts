import { foldCase } from '../paths.ts';

/** Reports a malformed pattern. */
export type Refuse = (hint: string) => never;

/** A token: matches one item, or with `any` any number of items. */
export type Token<Item> = 'any' | ((item: Item) => boolean);

/**
 * Tests whether a sequence matches the tokens. Only the last `any` needs backtracking, one item at a time: whatever an
 * earlier one could take, the last can take too. So each item is compared with each token at most once.
 */
export function matchesInOrder<Item>(tokens: readonly Token<Item>[], items: readonly Item[]): boolean {
  let token = 0;
  let item = 0;
  let retry: { token: number; item: number } | undefined;
  while (item < items.length) {
    const current = tokens[token];
    if (current === 'any') {
      retry = { token: ++token, item };
    } else if (current?.(items[item] as Item) === true) {
      token++;
      item++;
    } else if (retry !== undefined) {
      ({ token } = retry);
      item = ++retry.item;
    } else return false;
  }
  while (tokens[token] === 'any') token++;
  return token === tokens.length;
}

/** Compiles a segment into one token per character. */
export function toNameTokens(
  pattern: string,
  { ignoreCase, refuse }: { readonly ignoreCase: boolean; readonly refuse: Refuse },
): readonly Token<string>[] {
  const tokens: Token<string>[] = [];
  for (let index = 0; index < pattern.length;) {
    const end =
      pattern[index] === '[' ? endOfClass(pattern, index, refuse) : index + characterAt(pattern, index).length;
    const part = pattern.slice(index, end);
    if (part === '*') {
      if (tokens.at(-1) !== 'any') tokens.push('any');
    } else if (part === '?') tokens.push(() => true);
    else tokens.push(end - index > 2 ? toClass(part, ignoreCase, refuse) : toCharacter(part, ignoreCase));
    index = end;
  }
  return tokens;
}

function characterAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0);
}

/** Index after the bracket that closes a class. A bracket that comes first is a member of the class. */
export function endOfClass(pattern: string, start: number, refuse: Refuse): number {
  const first = /[!^]/.test(pattern.charAt(start + 1)) ? start + 2 : start + 1;
  const end = pattern.indexOf(']', first + 1);
  if (end === -1 || pattern.slice(start, end).includes('/'))
    refuse("A '[' has no ']' in the same name. The character itself is '[[]'.");
  return end + 1;
}

function toCharacter(character: string, ignoreCase: boolean): (character: string) => boolean {
  const wanted = ignoreCase ? foldCase(character) : character;
  return (given) => given === wanted;
}

function toClass(part: string, ignoreCase: boolean, refuse: Refuse): (character: string) => boolean {
  const isNegated = /^\[[!^]/.test(part);
  const ranges = toRanges(Array.from(part.slice(isNegated ? 2 : 1, -1)), refuse);
  const holds = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0;
    return ranges.some(([from, to]) => from <= code && code <= to);
  };
  // input is case-folded already
  return (given) => (holds(given) || (ignoreCase && holds(given.toUpperCase()))) !== isNegated;
}

function toRanges(characters: readonly string[], refuse: Refuse): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let index = 0; index < characters.length; index++) {
    const isRange = characters[index + 1] === '-' && index + 2 < characters.length;
    const from = characters[index]?.codePointAt(0) ?? 0;
    const to = isRange ? (characters[(index += 2)]?.codePointAt(0) ?? 0) : from;
    if (from > to) refuse('A range of characters runs backwards.');
    ranges.push([from, to]);
  }
  return ranges;
}
