import { isUtensilError, matchGlob, nameOf } from '@utensil/core';

/** One line of a `.gitignore`. */
export interface IgnorePattern {
  /** It takes in again what an earlier one leaves out. */
  readonly isNegated: boolean;
  readonly isForDirectories: boolean;
  /** Whether a path matches, which begins with a slash in the directory of the file. */
  matches(path: string): boolean;
}

/**
 * The patterns of a `.gitignore`, as git reads it where case counts. They take time in proportion to their length and that
 * of a path, whatever they say: the file may come from anybody. One that git could not read either leaves nothing out.
 */
export function ignorePatterns(text: string): readonly IgnorePattern[] {
  return text
    .split('\n')
    .slice(0, mostPatterns)
    .flatMap((line) => toPattern(line.replace(/\r$/, '').normalize('NFC')) ?? []);
}

const mostPatterns = 5_000;

function toPattern(line: string): IgnorePattern | undefined {
  const trimmed = withoutBlanks(line);
  if (trimmed === '' || trimmed.startsWith('#')) return undefined;
  const isNegated = trimmed.startsWith('!');
  const whole = isNegated ? trimmed.slice(1) : trimmed;
  const isForDirectories = whole.endsWith('/');
  const pattern = isForDirectories ? whole.slice(0, -1) : whole;
  const matches = matcherOf(pattern);
  return matches && { isNegated, isForDirectories, matches };
}

/** Without the blanks at its end, but for one behind a backslash. */
function withoutBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === ' ' && !isEscaped(line, end - 1)) end--;
  return line.slice(0, end);
}

function isEscaped(line: string, index: number): boolean {
  let start = index;
  while (line[start - 1] === '\\') start--;
  return (index - start) % 2 === 1;
}

function matcherOf(pattern: string): IgnorePattern['matches'] | undefined {
  const isName = !pattern.includes('/');
  if (isName && /^[^*?[\\]+$/.test(pattern)) return (path) => nameOf(path) === pattern;
  if (isName && /^\*[^*?[\\]+$/.test(pattern)) return (path) => path.endsWith(pattern.slice(1));
  if (/(?:^|\/)\.{1,2}(?:\/|$)|\/\/|\/$/.test(pattern)) return undefined; // no path is like that
  const glob = toGlob(pattern);
  if (glob === undefined) return undefined;
  try {
    const matches = matchGlob(glob.startsWith('/') ? glob : `/${glob}`);
    return isName ? (path) => matches(`/${nameOf(path)}`) : matches;
  } catch (error) {
    if (isUtensilError(error, 'EINVAL')) return undefined;
    throw error;
  }
}

/** A character of a pattern, escaped or not, or a class of characters. */
const part = /\[[!^]?\]?[^\]]*\]|\\?./gsu;

/** The same pattern for `matchGlob`, which knows no backslash. Undefined for what it cannot say. */
function toGlob(pattern: string): string | undefined {
  const parts = pattern.replaceAll(/\*{3,}/g, '**').match(part) ?? [];
  const isClass = (each: string): boolean => each.length > 2 && each.startsWith('[');
  if (parts.some((each) => each === '[' || /^\\[\\/]?$/.test(each))) return undefined;
  if (parts.some((each) => isClass(each) && /\\|\[:/.test(each))) return undefined;
  return parts
    .map((each) => {
      const character = each.startsWith('\\') ? each.slice(1) : each;
      const isLiteral = each !== character ? /[*?[{}]/.test(character) : /^[{}]$/.test(each);
      return isLiteral ? `[${character}]` : character;
    })
    .join('');
}
