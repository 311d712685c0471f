import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { citationsIn, unfounded } from './citations.ts';
import { findFalseClaims } from './claims.ts';
import { readMarkdown } from './markdown.ts';
import { findUnwanted } from './words.ts';

/** Lines of a document, each with a claim that is true. */
const good = [
  '# Title, and `code`',
  'See [a](packages/a/README.md), [b](../README.md#title-and-code), [c](https://nowhere.example/x), [d](#title-and-code).',
  'The code is in `packages/a/src/`, `packages/*/src/index.ts`, `./a.md` and `docs`; `no/path`, `packages` and `src` are words.',
  'Start `pnpm check`, `pnpm run check`, `npm test`, `npm run check -- --all`, `pnpm install` or `pnpm oxlint`.',
  '```sh',
  '$ npm run check && pnpm check   # pnpm nothing is a comment',
  'node tooling/a.ts packages/a',
  'npm install whatever',
  '```',
  '```ts',
  "import 'packages/nowhere';",
  '```',
  '```text',
  'pnpm nothing docs/nowhere.md',
  '```',
].join('\n');

const files = {
  'package.json': { scripts: { check: '', test: '' } },
  'packages/a/package.json': { scripts: { build: '' } },
  'packages/a/README.md': '# A\n\n`pnpm build`, `src/index.ts`, [root](../../README.md)\n',
  'packages/a/src/index.ts': '',
  'tooling/a.ts': '',
  'README.md': '# Title, and `code`\n',
  'docs/a.md': good.replace('(packages/', '(../packages/'),
  'tooling/doctest/.doctest/docs-a.md.L10.ts': '',
};

/** False claims of a document in the workspace. */
function find(path: string, text: string): string[] {
  return findFalseClaims({ root: fixture({ ...files, [path]: text }), path });
}

test('finds nothing false if all is true', () => {
  expect(find('docs/a.md', files['docs/a.md'])).toEqual([]);
  expect(find('packages/a/README.md', files['packages/a/README.md'])).toEqual([]);
});

test.for([
  ['[a](gone.md)', 'the link gone.md leads nowhere'],
  ['[a](<gone.md>)', 'the link gone.md leads nowhere'],
  ['![a](./gone.png "title")', 'the link ./gone.png leads nowhere'],
  ['[a](/gone.md)', 'the link /gone.md leads nowhere'],
  ['[a](README.md#gone)', 'README.md has no heading #gone'],
  ['[a](#gone)', 'b.md has no heading #gone'],
  ['`packages/gone`', 'there is no packages/gone'],
  ['`packages/*/gone.ts`', 'there is no packages/*/gone.ts'],
  ['`tooling/gone.ts`', 'there is no tooling/gone.ts'],
  ['`./gone.ts`', 'there is no ./gone.ts'],
  ['`src/gone.ts`', 'there is no src/gone.ts'],
  ['`pnpm gone`', 'there is no script "gone" in package.json'],
  ['`pnpm run install`', 'there is no script "install" in package.json'],
  ['`npm run gone`', 'there is no script "gone" in package.json'],
  ['`npm start`', 'there is no script "start" in package.json'],
  ['`pnpm check && pnpm gone`', 'there is no script "gone" in package.json'],
  ['`pnpm build`', 'there is no script "build" in package.json'],
  ['```ts\nlet a = 1;\n```', 'no doc test covers this block (see tooling/doctest/main.ts)'],
  ['  ```ts no-run\n  let a = 1;\n  ```', 'no doc test covers this block (see tooling/doctest/main.ts)'],
] as const)('finds %s', ([text, problem]) => {
  expect(find('b.md', `# Title\n\n${text}\n`)).toEqual([`b.md:3: ${problem}`]);
});

test('finds what is false in the commands of a block, on their lines', () => {
  expect(find('b.md', '```sh\nnpm run check\n$ npm run gone\nnode tooling/gone.ts\n```\n')).toEqual([
    'b.md:3: there is no script "gone" in package.json',
    'b.md:4: there is no tooling/gone.ts',
  ]);
});

describe('the words', () => {
  const slashed = (...names: readonly string[]) => ['', ...names].join('/');

  test.for([
    slashed('work', 'main', 'a'),
    slashed('root', '.cache', 'a'),
    slashed('tmp', 'env.sh'),
    ['registry', 'npmjs', 'org'].join('.'),
    ['See issue', '12'].join(' '),
    ['issue', '#12'].join(' '),
    ['In this', 'session'].join(' '),
  ])('finds %s', (words) => {
    expect(findUnwanted('a.ts', `fine\n// ${words} b`)).toEqual([expect.stringMatching(/^a\.ts:2: ".+": .+/)]);
  });

  test.for([
    './work/a',
    'https://a.example/work/a',
    '/root/notes.md',
    'an issue tracker',
    'a session of the user',
    'the npm registry',
  ])('leaves %s alone', (words) => expect(findUnwanted('a.ts', words)).toEqual([]));
});

test('reads fences of any length, and what is in them as text', () => {
  const { fences, code, anchors } = readMarkdown('````md\n```ts\n# no\n```\n````\n# A b-c: `d`!\n`e`\n');
  expect(fences).toEqual([{ info: 'md', line: 1, text: '```ts\n# no\n```' }]);
  expect(code.map(({ text, line }) => [text, line])).toEqual([
    ['d', 6],
    ['e', 7],
  ]);
  expect(anchors).toEqual(['a-b-c-d']);
});

describe('the program', () => {
  const start = (root: string, env = process.env) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], { cwd: root, env, encoding: 'utf8' });
  const repository = (contents: Readonly<Record<string, unknown>>): string => {
    const root = fixture(contents);
    spawnSync('git', ['init', '-q'], { cwd: root });
    return root;
  };
  const ignored = { '.gitignore': 'node_modules\n.doctest\nignored.md\n', 'ignored.md': '`pnpm gone`' };

  test('passes if all is true', () => {
    const binary = `\0${['', 'work', 'a'].join('/')}`;
    expect(start(repository({ ...files, ...ignored, 'a.bin': binary }))).toMatchObject({ status: 0, stderr: '' });
  });

  test('fails on a false claim and on an unwanted word', () => {
    const planted = { 'b.md': '`pnpm gone`', 'packages/a/src/index.ts': `// ${['', 'work', 'a'].join('/')}` };
    expect(start(repository({ ...files, ...ignored, ...planted }))).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^b\.md:1: there is no script "gone".*\npackages\/a\/src\/index\.ts:1: .*\n$/),
    });
  });

  test('fails if there is nothing to read', () => {
    expect(start(repository({ '.gitignore': '*' }))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There are no files in '),
    });
  });

  test('fails outside of a repository, and without git', () => {
    expect(start(fixture(files))).toMatchObject({ status: 1, stderr: expect.stringContaining('git cannot list') });
    expect(start(repository(files), { PATH: '/nowhere' })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('git cannot list'),
    });
  });
});

describe('tests that a document names', () => {
  const page = `- **An attack.** A defence. Shown by \`packages/a/src/a.test.ts\`: “holds it”; “refuses %s, at
  once”; \`packages/b/src/b.test.ts\`: “ends …”.
- **Another.** “No title.” \`packages/a/src/a.test.ts\``;
  const sources: Readonly<Record<string, string>> = {
    'packages/a/src/a.test.ts': `it('holds it'); it.each([])('refuses %j, at once')`,
    'packages/b/src/b.test.ts': `it('ends where it\\'s told')`,
  };

  test('are the titles after the path of a file', () => {
    expect(citationsIn(page)).toEqual([
      { file: 'packages/a/src/a.test.ts', title: 'holds it' },
      { file: 'packages/a/src/a.test.ts', title: 'refuses %s, at once' },
      { file: 'packages/b/src/b.test.ts', title: 'ends …' },
    ]);
    expect(unfounded(page, (file) => sources[file])).toEqual([]);
    expect(unfounded(page.replace('ends …', "ends where it's told"), (file) => sources[file])).toEqual([]);
  });

  test('are there', () => {
    expect(unfounded(page.replace('holds', 'held'), (file) => sources[file])).toEqual([
      'packages/a/src/a.test.ts has no test “held it”.',
    ]);
    expect(unfounded(page.replaceAll('src/b.test', 'src/c.test'), (file) => sources[file])).toEqual([
      'There is no packages/b/src/c.test.ts, of which the page cites “ends …”.',
    ]);
  });
});
