import { createFiles, runTool } from '@utensil/core';
import { matchGlob } from '@utensil/core/files';
import type { JsonObject } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';
import { globFilesTool, listFilesTool, projectsOf, searchFilesTool } from './index.ts';
import { workspaceOf } from './test-kit/workspace.ts';

describe('search_files', () => {
  it('[S2-27] shows snippets with their lines, and a summary if there are many', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `row ${index + 1}`);
    const { ask } = await workspaceOf({
      'a.txt': lines.join('\n'),
      'long.txt': `${'-'.repeat(5_000)}needle${'+'.repeat(5_000)}`,
      ...Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`many/${index}.txt`, 'one common line'])),
    });
    expect((await ask(searchFilesTool, { pattern: 'row (7|9|30)$' })).text).toBe(
      [
        '>>>>> RESULT: a.txt:5-11',
        ...[' 5', ' 6', ' 7', ' 8', ' 9', '10', '11'].map((number) => `${number} | row ${number.trim()}`),
        '<<<<< END RESULT',
        '>>>>> RESULT: a.txt:28-32',
        ...[28, 29, 30, 31, 32].map((number) => `${number} | row ${number}`),
        '<<<<< END RESULT',
        '3 matching line(s) in 1 file(s)',
      ].join('\n'),
    );
    const { text: excerpt } = await ask(searchFilesTool, { pattern: 'needle', context: 0 });
    expect(excerpt).toMatch(/^>>>>> RESULT: long.txt:1\n1 \| …-{57,60}needle\+{54,60}…\n/);
    const { text } = await ask(searchFilesTool, { pattern: 'common' });
    expect(text).toContain('250 lines in 250 files match: more than fit.');
    expect(text.split('>>>>> RESULT').length - 1).toBe(20);
    expect(text.split('\n').filter((line) => /^many\/\d+\.txt: 1$/.test(line))).toHaveLength(200);
    expect(text).toContain('and 50 more files');
    expect((await ask(searchFilesTool, { pattern: 'nothing like it' })).isError).toBe(false);
  });

  it('[S1-16] [D1-08] gives lines, files or counts, of the files that a glob or paths choose', async () => {
    const { ask } = await workspaceOf({
      'a.ts': 'x\nx\n',
      'src/b.ts': 'x\n',
      'src/deep/er/c.md': 'x\nX\n',
      '.github/d.yml': 'x\n',
    });
    const output = async (input: JsonObject) =>
      (await ask(searchFilesTool, { pattern: 'x', ...input })).text.split('\n').slice(0, -1);
    expect(await output({ output: 'files' })).toEqual(['.github/d.yml', 'a.ts', 'src/b.ts', 'src/deep/er/c.md']);
    expect(await output({ output: 'count', ignore_case: true })).toEqual([
      '.github/d.yml: 1',
      'a.ts: 2',
      'src/b.ts: 1',
      'src/deep/er/c.md: 2',
    ]);
    expect(await output({ output: 'files', glob: '*.ts' })).toEqual(['a.ts', 'src/b.ts']);
    expect(await output({ output: 'files', paths: ['src'] })).toEqual(['src/b.ts', 'src/deep/er/c.md']);
    expect(await output({ output: 'files', paths: ['src\\b.ts', 'src', 'a.ts'] })).toEqual([
      'src/b.ts',
      'src/deep/er/c.md',
      'a.ts',
    ]);
    expect(await output({ output: 'files', limit: 1 })).toEqual([
      '.github/d.yml',
      '[… and 3 more files: narrow the search with a longer pattern, paths or a glob.]',
    ]);
    expect((await ask(searchFilesTool, { pattern: 'x', paths: ['scr'] })).text).toContain("Nearest: '/src'");
  });

  it('leaves out binary files and names large ones, and reads UTF-16', async () => {
    const utf16 = Uint8Array.from([0xff, 0xfe, ...Array.from('a needle\n').flatMap((each) => [each.charCodeAt(0), 0])]);
    const { ask } = await workspaceOf({
      'a.bin': new TextEncoder().encode('needle\0'),
      'b.txt': utf16,
      'c.txt': `\ufeffneedle first`,
      'large.txt': 'needle'.repeat(1_500_000),
    });
    const { text } = await ask(searchFilesTool, { pattern: '^(a )?needle', output: 'count' });
    expect(text.split('\n')).toEqual([
      'b.txt: 1',
      'c.txt: 1',
      'Not searched, because they have more than 8 MB: large.txt.',
      '2 matching line(s) in 2 file(s)',
    ]);
  });

  it('says what is wrong with a pattern, and what to write instead', async () => {
    const { ask } = await workspaceOf({ 'a.txt': 'a' });
    expect((await ask(searchFilesTool, { pattern: '(?<!a)b' })).text).toContain('Look-around');
    expect((await ask(searchFilesTool, { pattern: '' })).text).toContain('The pattern is empty');
  });
});

const name = fc.constantFrom('a', 'b', 'ab', 'b.ts', 'a.md', '.x', 'é.ts');
const tree = fc.uniqueArray(
  fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
  { minLength: 1, maxLength: 14 },
);

/** Files that can be there together: none is a directory of another, and no two differ in case alone. */
function possible(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
}

describe('glob_files', () => {
  const part = fc.constantFrom('a', 'b', '*', '**', '*.ts', 'a*', '?', '[ab]', '[!a]*', '{a,b}', '*.{ts,md}', '.*');
  const pattern = fc
    .array(part, { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'))
    .filter((glob) => !glob.endsWith('**') || glob === '**');

  it('[A1-07] [S1-15] [D1-01] finds what picomatch finds, in a generated tree, in the order of paths', async () => {
    await fc.assert(
      fc.asyncProperty(tree, pattern, async (paths, glob) => {
        const there = possible(paths);
        const { ask } = await workspaceOf(Object.fromEntries(there.map((path) => [path, 'x'])));
        const matches = picomatch(glob, { dot: true, posix: true, basename: !glob.includes('/') });
        const { text } = await ask(globFilesTool, { pattern: glob });
        const found = text.startsWith('No files found') ? [] : text.split('\n');
        expect([...found].sort()).toEqual(there.filter((path) => matches(path)).sort());
        const inOrder = await createFilesOrder(there);
        expect(found).toEqual(inOrder.filter((path) => found.includes(path)));
      }),
      { numRuns: 300 },
    );
  });

  it('[A1-07] greps what a plain scan of all files finds, in a generated tree', async () => {
    const content = fc
      .array(fc.constantFrom('ab', 'b', 'xa', '', 'a b'), { maxLength: 5 })
      .map((lines) => lines.join('\n'));
    const word = fc.constantFrom('a', 'b$', '^x', 'a|b', '^$', '[^a]');
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.array(content, { minLength: 14, maxLength: 14 }),
        word,
        async (paths, texts, wanted) => {
          const there = possible(paths);
          const contents = Object.fromEntries(there.map((path, index) => [path, texts[index] ?? '']));
          const { ask } = await workspaceOf(contents);
          const { text } = await ask(searchFilesTool, { pattern: wanted, output: 'count', glob: '*.ts' });
          const expected = there
            .filter((path) => matchGlob('*.ts')(`/${path}`))
            .flatMap((path) => {
              const lines = (contents[path] ?? '').replace(/\n$/, '').split('\n');
              const count = contents[path] === '' ? 0 : lines.filter((line) => new RegExp(wanted).test(line)).length;
              return count === 0 ? [] : [`${path}: ${count}`];
            });
          expect(text.split('\n').slice(0, -1).sort()).toEqual(expected.sort());
        },
      ),
      { numRuns: 200 },
    );
  });

  it('[S2-28] finds files only, without what is ignored, and says where there is none', async () => {
    const { ask } = await workspaceOf({
      'src/a.ts': '',
      'node_modules/b/b.ts': '',
      'dist/c.ts': '',
      '.git/d.ts': '',
      'logs/e.ts': '',
      '.gitignore': 'logs/\n*.tmp\n',
      'src/f.tmp': '',
    });
    expect((await ask(globFilesTool, { pattern: '*.ts' })).text).toBe('src/a.ts');
    expect((await ask(globFilesTool, { pattern: '*.ts', include_ignored: true })).text.split('\n')).toEqual([
      'dist/c.ts',
      'logs/e.ts',
      'node_modules/b/b.ts',
      'src/a.ts',
    ]);
    expect(await ask(globFilesTool, { pattern: 'src' })).toEqual({
      text: "No files found matching pattern 'src'",
      isError: false,
    });
    expect((await ask(globFilesTool, { pattern: '**\\*.ts', limit: 1, include_ignored: true })).text).toBe(
      'dist/c.ts\n[1 files are shown, and there are more: narrow the pattern, or raise limit.]',
    );
  });

  it('reports the first files before all have been looked at', async () => {
    const { host } = await workspaceOf(
      Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`d${index % 6}/${index}.txt`, ''])),
    );
    const updates: unknown[] = [];
    await runTool(globFilesTool, { pattern: '*.txt' }, { host, progress: (update) => updates.push(update) });
    expect(updates).toEqual([{ found: expect.arrayContaining(['d0/0.txt']) }]);
    expect((updates[0] as { found: readonly string[] }).found.length).toBeLessThan(20);
  });
});

/** The paths in the order in which the files layer lists them. */
async function createFilesOrder(paths: readonly string[]): Promise<readonly string[]> {
  const files = createFiles(memoryStorage());
  for (const path of paths) await files.write(`/${path}`, 'x');
  const { entries } = await files.list('/', { depth: 32 });
  return entries.map(({ path }) => path.slice(1));
}

describe('what is ignored', () => {
  it('is said by nested .gitignore files, of which deeper ones count more, and what was asked for by its path is shown', async () => {
    const { ask } = await workspaceOf({
      '.gitignore': '*.log\n/secret.txt\n!dist/\n',
      'a.log': 'x',
      'secret.txt': 'x',
      'sub/secret.txt': 'x',
      'sub/.gitignore': '!keep.log\n*.tmp\n',
      'sub/keep.log': 'x',
      'sub/drop.log': 'x',
      'sub/a.tmp': 'x',
      'dist/kept.js': 'x',
      'build/left-out.js': 'x',
      'node_modules/m/index.js': 'x',
    });
    const found = async (input: JsonObject) =>
      (await ask(searchFilesTool, { pattern: '^x$', output: 'files', ...input })).text.split('\n').slice(0, -1);
    expect(await found({})).toEqual(['dist/kept.js', 'sub/keep.log', 'sub/secret.txt']);
    expect(await found({ paths: ['node_modules/m'] })).toEqual(['node_modules/m/index.js']);
    expect(await found({ paths: ['build', 'a.log'] })).toEqual(['build/left-out.js', 'a.log']);
  });
});

describe('list_files', () => {
  it('[S2-25] [S1-17] [S4-19] shows a tree, and sums up by kinds of files what does not fit', async () => {
    const { ask } = await workspaceOf({
      'README.md': '',
      'src/a.ts': '',
      'src/lib/b.ts': '',
      'src/lib/c.test.ts': '',
      'src/lib/Makefile': '',
      'node_modules/x/x.js': '',
    });
    expect((await ask(listFilesTool, {})).text).toBe(
      './\n  README.md\n  src/\n    a.ts\n    lib/\n      Makefile\n      b.ts\n      c.test.ts',
    );
    expect((await ask(listFilesTool, { max_depth: 1 })).text).toBe('./\n  README.md\n  src/ (4 files: 3 ts, 1 other)');
    expect((await ask(listFilesTool, { paths: ['src/lib'] })).text.split('\n')[0]).toBe('src/lib/');
    expect((await ask(listFilesTool, { paths: ['none'] })).text).toContain('ENOENT');
    expect((await ask(listFilesTool, { paths: ['README.md'] })).text).toContain('ENOTDIR');
    expect((await ask(listFilesTool, { paths: ['../x'] })).text).toContain('from the root of the project');

    const many = Array.from({ length: 3_000 }, (_, index) => [`d${index % 30}/s${index % 300}/${index}.ts`, '']);
    const { text } = await (await workspaceOf(Object.fromEntries(many))).ask(listFilesTool, {});
    expect(text.split('\n').length).toBeLessThan(401);
    expect(text).toContain('    s0/ (10 files: 10 ts)');
  });
});

it('[S2-24] offers projects by name, of which a call names one if there are several', async () => {
  const { listProjectsTool } = await import('./index.ts');
  const files = createFiles(memoryStorage());
  await files.write('/a.txt', 'a');
  const two = { projects: projectsOf({ app: { files, description: 'the app' }, docs: { files } }) };
  expect((await runTool(listProjectsTool, {}, { host: two })).output).toBe('- app: the app\n- docs');
  const unnamed = await runTool(globFilesTool, { pattern: '*' }, { host: two });
  expect(unnamed.output).toContain('say which one is meant as `project`. They are: app, docs.');
  const wrong = await runTool(globFilesTool, { pattern: '*', project: 'dox' }, { host: two });
  expect(wrong.output).toContain("There is no project 'dox'. The projects are: app, docs.");
  expect((await runTool(globFilesTool, { pattern: '*', project: 'docs' }, { host: two })).output).toBe('a.txt');
});
