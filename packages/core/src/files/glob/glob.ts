import { UtensilError } from '../../base/errors.ts';
import { quotePath } from '../file-error.ts';
import { expandBraces } from './braces.ts';
import { matchesInOrder, toNameTokens } from './name.ts';
import type { Refuse, Token } from './name.ts';
import { foldCase, isWithin, resolvePath } from '../paths.ts';

/** Options of {@link matchGlob}. */
export interface GlobOptions {
  /** True to ignore case. */
  readonly ignoreCase?: boolean;
  /** Base directory of a pattern that contains a slash other than a leading one. Default: `/`. */
  readonly under?: string;
}

/** Maximum length of a pattern, of its expansion, and maximum number of alternatives. */
const limits = { characters: 1024, expanded: 4096, alternatives: 256 } as const;

/**
 * Tests whether a normalized path matches a pattern: `*` matches any part of a name, `?` one character, `[a-z]` and
 * `[!a-z]` one character in or not in a set, `{a,b}` one of several alternatives, and a segment `**` any number of
 * directories. Names with a leading dot are not special.
 *
 * - A pattern without a slash matches names at any depth: `*.ts`. With a slash it matches the whole path: `src/*.ts`.
 * - A pattern that ends in a slash or `/**` matches everything in a directory.
 * - Brackets quote a special character: `[[]id].ts`. There is no escape by backslash, since no path contains one.
 *
 * Linear in both lengths for any pattern. Throws `EINVAL`.
 *
 * @example
 * ```ts
 * import { matchGlob } from '@utensil/core/files';
 *
 * const isSource = matchGlob('src/**' + '/*.{ts,tsx}');
 * console.log(isSource('/src/app/page.tsx'), isSource('/test/page.tsx')); // true false
 * ```
 */
export function matchGlob(pattern: string, options: GlobOptions = {}): (path: string) => boolean {
  const { ignoreCase = false } = options;
  const under = resolvePath(options.under ?? '/');
  const refuse: Refuse = (hint) => {
    throw new UtensilError('EINVAL', `EINVAL: invalid pattern, ${quotePath(pattern)}. ${hint}`);
  };
  const alternatives = readPattern(pattern.normalize('NFC'), refuse).map((alternative) => ({
    isAbsolute: alternative.startsWith('/'),
    tokens: toPathTokens(alternative, { ignoreCase, refuse }),
  }));
  const namesOf = (path: string): readonly (readonly string[])[] =>
    path
      .split('/')
      .filter(Boolean)
      .map((name) => Array.from(ignoreCase ? foldCase(name) : name));

  return (path) => {
    const whole = namesOf(path);
    const relative = isWithin(under, path) ? whole.slice(namesOf(under).length) : undefined;
    return alternatives.some(({ isAbsolute, tokens }) => {
      const names = isAbsolute ? whole : relative;
      return names !== undefined && matchesInOrder(tokens, names);
    });
  };
}

/** Expands braces, and drops alternatives without a name. */
function readPattern(pattern: string, refuse: Refuse): readonly string[] {
  if (pattern.includes('\\'))
    refuse("Names are separated by '/'. A special character is taken as it is in brackets: [*].");
  if (pattern.length > limits.characters) refuse(`A pattern has at most ${limits.characters} characters.`);
  const alternatives = expandBraces(pattern, limits.alternatives, refuse).filter((each) => /[^/.]|\.{2}/.test(each));
  if (alternatives.length === 0) refuse('It names nothing: * matches every file.');
  const expanded = alternatives.reduce((total, { length }) => total + length, 0);
  if (expanded > limits.expanded) refuse(`With its braces expanded, it has more than ${limits.expanded} characters.`);
  return alternatives;
}

interface Reading {
  readonly ignoreCase: boolean;
  readonly refuse: Refuse;
}

/** Compiles each segment of a path. */
function toPathTokens(pattern: string, { ignoreCase, refuse }: Reading): readonly Token<readonly string[]>[] {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) refuse("It cannot lead upwards with '..'.");
  if (!/\/+[^/]/.test(pattern)) names.unshift('**');
  if (pattern.endsWith('/')) names.push('**');
  if (names.at(-1) === '**') names.push('*');
  return names.map((name) => {
    if (name === '**') return 'any';
    const tokens = toNameTokens(name, { ignoreCase, refuse });
    return (characters) => matchesInOrder(tokens, characters);
  });
}
