import { posix } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchGlob } from './glob.ts';

describe('matchGlob', () => {
  it.each([
    ['*.ts', ['/a.ts', '/src/a.ts', '/.ts'], ['/a.tsx', '/ts', '/a.ts/b']],
    ['a.ts', ['/a.ts', '/x/y/a.ts'], ['/ba.ts', '/a.ts.md']],
    ['src/*.ts', ['/src/a.ts', '/src/.a.ts'], ['/a.ts', '/src/x/a.ts', '/x/src/a.ts']],
    ['/src/*.ts', ['/src/a.ts'], ['/x/src/a.ts']],
    ['/*.ts', ['/a.ts'], ['/src/a.ts']],
    ['./src//*.ts', ['/src/a.ts'], ['/a.ts']],
    ['src/**/*.ts', ['/src/a.ts', '/src/x/y/a.ts'], ['/a.ts', '/x/src/a.ts']],
    ['**/test/**', ['/test/a', '/x/test/y/a'], ['/test', '/tests/a']],
    ['src/**', ['/src/a', '/src/x/a'], ['/src', '/srcs/a', '/']],
    ['**', ['/a', '/.a/b'], ['/']],
    ['node_modules/', ['/node_modules/a', '/x/node_modules/y/a'], ['/node_modules', '/node_modules.md']],
    ['x/y/', ['/x/y/a', '/x/y/z/a'], ['/x/y', '/w/x/y/a']],
    ['a**b', ['/ab', '/axb', '/d/axxb'], ['/a/b']],
    ['a?c', ['/abc', '/a😀c', '/aéc'], ['/ac', '/abbc', '/a/c']],
    ['[ab]c', ['/ac', '/bc'], ['/cc', '/abc']],
    ['[!ab]c', ['/cc', '/!c'], ['/ac', '/c']],
    ['[^a-c]', ['/d', '/-'], ['/a', '/b']],
    ['[a-c-]', ['/b', '/-'], ['/d']],
    ['[]a]', ['/]', '/a'], ['/b']],
    ['[*][?][[]', ['/*?['], ['/abc']],
    ['[{,]', ['/{', '/,'], ['/x']],
    ['[α-ω]', ['/β'], ['/b']],
    ['*.{ts,tsx}', ['/a.ts', '/x/a.tsx'], ['/a.js']],
    ['{src,test}/**/*.{js,{c,m}ts}', ['/src/a.js', '/test/x/a.mts', '/src/a.cts'], ['/a.js', '/src/a.ts']],
    ['{a,}b', ['/ab', '/b'], ['/ab,b']],
    ['{*.md,docs/*}', ['/x/a.md', '/docs/a'], ['/x/docs/a']],
    ['{[,],b}', ['/,', '/b'], ['/[', '/]']],
    ['a,b', ['/a,b'], ['/a', '/b']],
    ['!(a|b)+@', ['/!(a|b)+@'], ['/c']],
    ['caf\u0065\u0301', ['/café'], ['/cafe']],
  ] as [string, string[], string[]][])('%s', (pattern, matching, other) => {
    const matches = matchGlob(pattern);
    expect([...matching, ...other].filter(matches)).toEqual(matching);
  });

  it('ignores case if told to', () => {
    const paths = ['/README.md', '/src/Straße.MD', '/ΟΔΟΣ.md', '/a.txt'];
    expect(paths.filter(matchGlob('*.md'))).toEqual(['/README.md', '/ΟΔΟΣ.md']);
    expect(paths.filter(matchGlob('*.Md', { ignoreCase: true }))).toEqual(paths.slice(0, 3));
    expect(paths.filter(matchGlob('οδος.*', { ignoreCase: true }))).toEqual(['/ΟΔΟΣ.md']);
    expect(paths.filter(matchGlob('[Q-S]EADME.*', { ignoreCase: true }))).toEqual(['/README.md']);
    expect(paths.filter(matchGlob('[!r]*', { ignoreCase: true }))).toEqual(paths.slice(1));
  });

  it('begins below a directory, unless the pattern begins at the root', () => {
    const paths = ['/src/a.ts', '/src/x/a.ts', '/x/a.ts', '/srcs/a.ts'];
    expect(paths.filter(matchGlob('*.ts', { under: '/src' }))).toEqual(['/src/a.ts', '/src/x/a.ts']);
    expect(paths.filter(matchGlob('x/*.ts', { under: '/src' }))).toEqual(['/src/x/a.ts']);
    expect(paths.filter(matchGlob('/x/*.ts', { under: '/src' }))).toEqual(['/x/a.ts']);
  });

  it.each([
    ['', 'It names nothing: * matches every file.'],
    ['/./', 'It names nothing: * matches every file.'],
    ['{,/}', 'It names nothing: * matches every file.'],
    ['../*.ts', "It cannot lead upwards with '..'."],
    ['a\\*', "Names are separated by '/'. A special character is taken as it is in brackets: [*]."],
    ['app/[id', "A '[' has no ']' in the same name. The character itself is '[[]'."],
    ['[a/b]', "A '[' has no ']' in the same name. The character itself is '[[]'."],
    ['{a,b', "A '{' has no '}'. The character itself is '[{]'."],
    ['a}', "A '}' has no '{'. The character itself is '[}]'."],
    ['[z-a]', 'A range of characters runs backwards.'],
    ['{1..9}', 'Braces hold a list, as in {1,2,3}, not a range.'],
    ['{a,b}'.repeat(9), 'Its braces stand for more than 256 patterns.'],
    [`{${'{a,b}{a,b}{a,b}{a,b},'.repeat(20)}}`, 'Its braces stand for more than 256 patterns.'],
    [`${'{a,b}'.repeat(8)}${'*a'.repeat(20)}`, 'With its braces expanded, it has more than 4096 characters.'],
    ['a'.repeat(1025), 'A pattern has at most 1024 characters.'],
  ])('refuses %j', (pattern, hint) => {
    expect(() => matchGlob(pattern)).toThrow(
      expect.objectContaining({ code: 'EINVAL', message: expect.stringContaining(hint) }),
    );
  });

  it('is done at once with patterns that make others try for ever', () => {
    const longest = `/${'a'.repeat(254)}`.repeat(4);
    const hostile = [
      `${'*a'.repeat(500)}b`,
      `${'a*'.repeat(500)}b`,
      `${'**/'.repeat(300)}b`,
      `${'**/*a*a*a*/'.repeat(90)}b`,
      `${'{a*,*a}'.repeat(6)}${'*a'.repeat(20)}b`,
      `${'['.repeat(1000)}]*b`,
      `${'{'.repeat(500)}${'}'.repeat(500)}b`,
      `${'?*'.repeat(500)}b`,
    ];
    expect(hostile.map((pattern) => matchGlob(pattern)(longest))).toEqual(hostile.map(() => false));
  });

  const name = fc
    .array(fc.constantFrom('a', 'b', 'é', '-'), { minLength: 1, maxLength: 4 })
    .map((list) => list.join(''));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join('/')}`);
  const piece = fc.constantFrom('a', 'b', 'é', '*', '?', '[ab]', '[!a]', '[a-c]', '{a,b}', '{a*,}', '{b,{a,é}}');
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((list) => list.join('')) },
    { weight: 1, arbitrary: fc.constant('**') },
  );
  const pattern = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((names) => `/${names.join('/')}`)
    .filter((glob) => glob.split('{').length < 6);

  it('matches what a naive matcher does', () => {
    fc.assert(
      fc.property(pattern, path, (glob, given) => {
        expect(matchGlob(glob)(given)).toBe(naive(glob, given));
      }),
      { numRuns: 3000 },
    );
  });

  it('matches what Node.js does, except names that are empty or begin with a dot', () => {
    const plain = pattern.filter((glob) => !glob.includes(',}') && !glob.endsWith('**'));
    fc.assert(
      fc.property(plain, path, (glob, given) => {
        expect(matchGlob(glob)(given)).toBe(posix.matchesGlob(given, glob));
      }),
      { numRuns: 1000 },
    );
  });
});

/** By trying everything. */
function naive(glob: string, path: string): boolean {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (braces?.[1] !== undefined) {
    return braces[1].split(',').some((each) =>
      naive(
        glob.replace(braces[0], () => each),
        path,
      ),
    );
  }
  const parts = glob.split('/').filter(Boolean);
  if (glob.endsWith('/') && parts.length > 0) parts.push('**');
  if (parts.at(-1) === '**') parts.push('*');
  return parts.length > 0 && naiveNames(parts, path.split('/').filter(Boolean));
}

function naiveNames(parts: readonly string[], names: readonly string[]): boolean {
  const [part, ...rest] = parts;
  if (part === undefined) return names.length === 0;
  if (part === '**') return [...names.keys(), names.length].some((index) => naiveNames(rest, names.slice(index)));
  const [first, ...others] = names;
  return first !== undefined && naiveName(part, first) && naiveNames(rest, others);
}

function naiveName(part: string, name: string): boolean {
  const source = part.replaceAll('[!', '[^').replaceAll('?', '.').replaceAll(/\*+/g, '.*');
  return new RegExp(`^(?:${source})$`, 'u').test(name);
}
