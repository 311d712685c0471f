import { UtensilError } from '../../base/errors.ts';
import { quotePath } from '../file-error.ts';
import { expandBraces } from './braces.ts';
import { matchesInOrder, toNameTokens } from './name.ts';
import type { Refuse, Token } from './name.ts';
import { foldCase, isWithin, resolvePath } from '../paths.ts';

/** How {@link matchGlob} reads a pattern. */
export interface GlobOptions {
  /** True if `A` is `a`. */
  readonly ignoreCase?: boolean;
  /** The directory in which a pattern begins that has a slash, but not as its first character; default `/`. */
  readonly under?: string;
}

/** A pattern may have this many characters, and once its braces are expanded that many, in so many alternatives. */
const limits = { characters: 1024, expanded: 4096, alternatives: 256 } as const;

/**
 * Whether a normal path matches a pattern: `*` is any part of a name, `?` one character, `[a-z]` and `[!a-z]` one of some,
 * `{a,b}` one of several, and a name of `**` any number of directories. Names that begin with a dot are like any other.
 *
 * - Without a slash it is about the name, at any depth: `*.ts`. With one it is about the whole path: `src/*.ts`.
 * - What ends in a slash, or in `/**`, is all that is in a directory.
 * - A special character stands for itself in brackets: `[[]id].ts`. There is no backslash, as there is none in a path.
 *
 * Takes time in proportion to both lengths, whatever the pattern. Throws `EINVAL`.
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

/** The patterns that its braces stand for, without those that name nothing. */
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

/** What each name of a path has to be. */
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
