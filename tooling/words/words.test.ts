import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { hitsIn, hitsOf, rulesWith } from './find.ts';
import { readGlossary } from './glossary.ts';
import { commentsOf, paragraphsOf, textsOf } from './prose.ts';
import { tics } from './tics.ts';

test.for(tics.map((tic) => [tic.name, tic] as const))(
  '%s: finds the planted text and passes the clean one',
  ([, tic]) => {
    for (const kind of tic.kinds ?? (['comments', 'documents', 'texts'] as const)) {
      expect(hitsIn(tic.planted, kind, [tic])).toMatchObject([{ kind, tic: tic.name }]);
      expect(hitsIn(tic.clean, kind, tics)).toEqual([]);
    }
  },
);

test('a list of code or numbers has as many commas as it needs', () => {
  expect(hitsIn('Reads §, §, §, §, § and §.', 'comments', tics)).toEqual([]);
  expect(hitsIn('It has 1,000, 2,000 and 3,000,000 lines.', 'comments', tics)).toEqual([]);
});

test('comments are passages: joined lines, TSDoc tags, no directives, no code, no strings', () => {
  const source = [
    'const a = "// What a string"; // a trailing one',
    '// What a call',
    '// gives, on `two`, lines.',
    '',
    '/**',
    ' * Reads *one* {@link file}.',
    ' *',
    ' * @returns Where it is.',
    ' * @example',
    ' * ```ts',
    ' * What;',
    ' * ```',
    ' */',
    '// oxlint-disable-next-line no-console',
    'f(/* @__PURE__ */ g());',
  ].join('\n');
  expect(commentsOf('a.ts', source)).toEqual([
    { line: 1, text: 'a trailing one' },
    { line: 2, text: 'What a call gives, on §, lines.' },
    { line: 6, text: 'Reads one §.' },
    { line: 8, text: 'Where it is.' },
  ]);
});

test('a module that cannot be parsed fails', () => {
  expect(() => commentsOf('a.ts', 'const = ;')).toThrow('a.ts: ');
});

test('paragraphs, items and cells of a document are passages; fences, headings and front matter are not', () => {
  const document = [
    '---',
    "'@utensil/core': minor",
    '---',
    '# What it is',
    'A [link](what.md) and “what a test',
    'shows”, over',
    'two lines.',
    '- One',
    '  item.',
    '- Two.',
    '',
    '| a | `b` |',
    '```ts',
    'What;',
    '```',
  ].join('\n');
  expect(paragraphsOf(document)).toEqual([
    { line: 5, text: 'A [link] and § §, over two lines.' },
    { line: 8, text: 'One item.' },
    { line: 10, text: 'Two.' },
    { line: 12, text: 'a' },
    { line: 12, text: '§' },
  ]);
});

test('texts are literals and templates of three words or more', () => {
  const source = 'const a = "Add a file";\nconst b = `Undo ${n} changes in all`;\nconst c = "storage-memory";\n';
  expect(textsOf('a.ts', source)).toEqual([
    { line: 1, text: 'Add a file' },
    { line: 2, text: 'Undo § changes in all' },
  ]);
});

test('only shipped sources have texts, and golden files have no prose', () => {
  const source = 'export const a = "Files that can be had back";';
  const find = (path: string) => hitsOf(path, source, tics).map(({ kind, line, tic }) => [kind, line, tic]);
  expect(find('packages/a/src/a.ts')).toEqual([['texts', 1, '"be had"']]);
  expect(find('packages/a/src/a.test.ts')).toEqual([]);
  expect(hitsOf('apps/a/src/golden/a.md', 'Files can be had.', tics)).toEqual([]);
});

const glossary = '| Term | Meaning | Instead of |\n| --- | --- | --- |\n| **cancel** | Stop a call. | "give up" |\n';

test('the glossary replaces words', () => {
  expect(readGlossary(glossary)).toEqual([{ term: 'cancel', instead: ['give up'] }]);
  expect(hitsIn('It may Give up.', 'texts', rulesWith(readGlossary(glossary)))).toMatchObject([
    { tic: '"give up"', advice: 'the word is "cancel"' },
  ]);
  expect(() => readGlossary('# Glossary\n')).toThrow('no terms');
});

test('the program lists hits and fails, passes without any, and fails without a glossary', () => {
  const start = (files: Readonly<Record<string, string>>, ...below: readonly string[]) => {
    const root = fixture({ '.gitignore': 'node_modules\n', ...files });
    spawnSync('git', ['init', '-q'], { cwd: root });
    const program = join(import.meta.dirname, 'main.ts');
    return spawnSync(process.execPath, [program, ...below], { cwd: root, encoding: 'utf8' });
  };
  const files = {
    'docs/glossary.md': glossary,
    'packages/a/a.ts': '// What a call gives.\n',
    'packages/b/b.md': 'The call ends.\n',
  };
  expect(start(files)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('packages/a/a.ts:1: comments: opens with a question word'),
  });
  expect(start(files, 'packages/b')).toMatchObject({ status: 0, stderr: '' });
  expect(start({ ...files, 'packages/b/b.md': 'They give up.\n' }, 'packages/b')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('packages/b/b.md:1: documents: "give up"'),
  });

  const { 'docs/glossary.md': _, ...withoutGlossary } = files;
  expect(start(withoutGlossary)).toMatchObject({ status: 1, stderr: expect.stringContaining('ENOENT') });
});
