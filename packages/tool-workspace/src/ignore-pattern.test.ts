import fc from 'fast-check';
import { describe, expect, inject, it, vi } from 'vitest';
import { ignoreAllowance, ignoreRuns } from './ignore-run.ts';

const none = (): void => expect.unreachable('all is heeded');

/** Paths that a text ignores; directories end in a slash. */
function ignored(text: string, paths: readonly string[], onCut = none): readonly string[] {
  const runs = ignoreRuns(text, ignoreAllowance(), onCut);
  return paths.filter((path) => runs.findLast(({ matches }) => matches(path))?.isNegated === false);
}

describe('a .gitignore', () => {
  it.each([
    ['a.log', ['a.log', 'x/a.log', 'x/a.log/'], ['A.log', 'b.log', 'xa.log']],
    ['*.log', ['a.log', 'x/y/b.log', '.log'], ['a.log.md', 'a.LOG']],
    ['Build', ['Build', 'x/Build/'], ['build/']],
    ['build/', ['build/', 'x/build/'], ['build', 'x/build']],
    ['/out', ['out', 'out/'], ['x/out']],
    ['/out/', ['out/'], ['out', 'x/out/']],
    ['a/b', ['a/b'], ['x/a/b', 'a/b/c']],
    ['a/**', ['a/b', 'a/b/c'], ['a', 'a/', 'x/a/b']],
    ['**/a', ['a', 'x/y/a'], ['ab']],
    ['a/**/b', ['a/b', 'a/x/y/b'], ['ab', 'x/a/b']],
    ['***/a', ['a', 'x/a'], ['b']],
    ['a**b', ['ab', 'axyb'], ['a/b']],
    ['# a', [], ['# a', 'a']],
    ['\\#a', ['#a'], ['a']],
    ['\\!a', ['!a'], ['a']],
    ['a  ', ['a'], ['a  ']],
    ['a\\ ', ['a '], ['a', 'a\\ ']],
    ['a\\ b\r', ['a b'], ['a']],
    ['x\\*', ['x*'], ['xy']],
    ['{a,b}', ['{a,b}'], ['a', 'b']],
    ['[ab]?', ['ax', 'b1'], ['a', 'cx']],
    ['[!a].c', ['b.c'], ['a.c']],
    ['*.py[cod]', ['m.pyc', 'x/m.pyo'], ['m.py']],
    ['caf\u0065\u0301', ['café'], ['cafe']],
    ['*\n!keep/\n!*.md', ['a', 'keep'], ['keep/', 'x.md']],
    ['!a\na', ['a'], ['b']],
    ['app/\\[id\\]/x', ['app/[id]/x'], ['app/i/x', 'app/id/x']],
    ['[!-a]b', ['cb', '.b'], ['-b', 'ab', 'b']],
    ['*.log\n*.l?g\n!b.log', ['a.log', 'b.lag'], ['b.log']],
    ['[\na[\n\\\n../a\n./a\na//b\n/\n!\n\n', [], ['a', 'a[', '[', 'b']],
  ] as [string, string[], string[]][])('%j leaves out %j', (text, left, kept) => {
    expect(ignored(text, [...left, ...kept])).toEqual(left);
  });

  it('is done at once with patterns that make others try for ever', () => {
    const deep = `${'a/'.repeat(30)}${'a'.repeat(200)}`;
    const hostile = [
      `${'**/a/'.repeat(16)}b`,
      `${'*a'.repeat(120)}b`,
      `${'*[ab]'.repeat(120)}c`,
      `${'?*'.repeat(120)}b/`,
      `${'**/*a*/'.repeat(14)}b`,
    ];
    expect(ignored(hostile.join('\n'), [deep])).toEqual([]);
  });

  const name = fc.constantFrom('a', 'b', 'ab', '*', '*a', 'a*', '?', '[ab]', '[!a]b', '**', '\\*');
  const line = fc
    .tuple(fc.boolean(), fc.boolean(), fc.array(name, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([isNegated, isRooted, names, isDirectory]) =>
      [isNegated ? '!' : '', isRooted ? '/' : '', names.join('/'), isDirectory ? '/' : ''].join(''),
    );
  const path = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', '*'), { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([names, isDirectory]) => names.join('/') + (isDirectory ? '/' : ''));

  it('decides, with many patterns at once, as the last one that matches by itself', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), path, (lines, given) => {
        const last = lines.findLast((each) => naive(each, given));
        expect(ignored(lines.join('\n'), [given]).length > 0).toBe(last !== undefined && !last.startsWith('!'));
      }),
      { numRuns: inject('isLong') ? 3_000 : 800 },
    );
  });

  it('with thousands of patterns of a kind looks for all of them at once', () => {
    const many = (line: (index: number) => string): string =>
      Array.from({ length: 5_000 }, (_, index) => line(index)).join('\n');
    const text = [many((index) => `name-${index}`), many((index) => `*.${index}`), many((index) => `/x/y/${index}`)];
    const [run] = ignoreRuns(text.join('\n'), ignoreAllowance(), none);
    const looks = [vi.spyOn(Map.prototype, 'get'), vi.spyOn(String.prototype, 'charAt')];
    const found = ['x/name-4999', 'x/a.4999', 'x/y/4999', 'x/none'].map((path) => run?.matches(path));
    const count = looks.reduce((total, { mock }) => total + mock.calls.length, 0);
    for (const look of looks) look.mockRestore();
    expect(found).toEqual([true, true, true, false]);
    expect(count).toBeLessThan(60);
  });

  it('with more wildcards than are heeded heeds the first ones, and says so', () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `a*-${index}-*b`).join('\n');
    const onCut = vi.fn<() => void>();
    expect(ignored(`${text}\nname`, ['a-1-b', 'a-19999-b', 'name'], onCut)).toEqual(['a-1-b', 'name']);
    expect(onCut).toHaveBeenCalled();
  });

  it('gives up patterns whose states are too many, and says so', () => {
    const text = `*[a-m]${'?'.repeat(40)}z\nname`;
    let seed = 1;
    const letter = (): string => String.fromCodePoint(97 + ((seed = (seed * 48_271) % 2_147_483_647) % 26));
    const names = Array.from({ length: 100 }, () => `${Array.from({ length: 200 }, letter).join('')}.`);
    const onCut = vi.fn<() => void>();
    const [run] = ignoreRuns(text, { ...ignoreAllowance(), work: { left: 100_000 } }, onCut);
    expect([...names, 'name'].filter((path) => run?.matches(path))).toEqual(['name']);
    expect(onCut).toHaveBeenCalledOnce();
  });
});

/** Reference matcher by a regular expression of the platform. */
function naive(line: string, path: string): boolean {
  const pattern = line.replace(/^!/, '').replace(/\/$/, '');
  const source = pattern
    .replace(/^\//, '')
    .split('/')
    .map((name) => (name === '**' ? name : name.replaceAll(/\\\*|\*|\?|\[!/g, (part) => signs[part] ?? part)))
    .join('/')
    .replaceAll(/(?<=^|\/)\*\*\//g, '(?:[^/]+/)*')
    .replace(/(?<=^|\/|\*)\*\*$/, '.+');
  const start = pattern.includes('/') ? '^' : '^(?:[^/]+/)*';
  return new RegExp(`${start}${source}${line.endsWith('/') ? '/' : '/?'}$`).test(path);
}

const signs: Readonly<Record<string, string>> = { '\\*': '[*]', '*': '[^/]*', '?': '[^/]', '[!': '[^/' };
