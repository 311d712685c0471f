import { describe, expect, it } from 'vitest';
import { ignorePatterns } from './ignore-pattern.ts';

/** Those of the paths that a text leaves out; directories end in a slash. */
function ignored(text: string, paths: readonly string[]): readonly string[] {
  const patterns = ignorePatterns(text);
  return paths.filter((each) => {
    const isDirectory = each.endsWith('/');
    const path = `/${isDirectory ? each.slice(0, -1) : each}`;
    const last = patterns.findLast(
      ({ isForDirectories, matches }) => (isDirectory || !isForDirectories) && matches(path),
    );
    return last !== undefined && !last.isNegated;
  });
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
});
