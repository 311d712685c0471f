import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Outcome, root, runCommand } from '../checks/commands.ts';
import { fixture } from '../fixtures/workspace/fixture.ts';

const configs = ['package.json', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.doctest.json'];
const writeOut = `node ${join(root, 'tooling/doctest/main.ts')}`;

function block(code: string, info = 'ts'): string {
  return `# Title\n\n\`\`\`${info}\n${code}\n\`\`\`\n`;
}

/** Runs the check on documents: their texts by path. */
function checkDocuments(documents: Readonly<Record<string, string>>): Outcome & { readonly folder: string } {
  const folder = fixture(documents, configs);
  const written = runCommand(writeOut, { cwd: folder });
  return { folder, ...(written.ok ? runCommand('tsc -p tsconfig.doctest.json', { cwd: folder }) : written) };
}

test('finds each block and example that does not compile, on its own line, wherever there are documents', () => {
  const paths = ['README.md', 'docs/deep/a.md', 'packages/a/README.md', 'apps/a/README.md'];
  const example =
    "/**\n * One.\n *\n * @example\n * ```ts\n * const a: number = 'a';\n * ```\n */\nexport const a = 1;\n";
  const documents = Object.fromEntries(paths.map((path) => [path, block("const a: number = 'a';")]));
  const { ok, output } = checkDocuments({ ...documents, 'packages/a/src/a.ts': example });
  expect(ok).toBe(false);
  for (const path of paths) expect(output).toContain(`${path.replaceAll('/', '-')}.L3.ts(4,7): error TS2322`);
  expect(output).toContain('packages-a-src-a.ts.L5.ts(6,7): error TS2322');
});

test('keeps the indentation of blocks, in a list too, and makes a test of each that is to run', () => {
  const { ok, folder } = checkDocuments({
    'packages/a/README.md': '- a\n\n  ```ts no-run\n  if (true) {\n    let a = `\n  b`;\n  }\n  ```\n',
    'packages/b/README.md': block('let a = 1;') + block('let b = 1;', 'ts no-run'),
  });
  expect(ok).toBe(true);
  const written = (name: string): string => readFileSync(join(folder, 'tooling/doctest/.doctest', name), 'utf8');
  expect(written('packages-a-README.md.L3.ts')).toContain('\nif (true) {\n  let a = `\nb`;\n}\n');
  expect(written('packages-b-README.md.test.ts')).toContain("test('packages/b/README.md:3'");
  expect(written('packages-b-README.md.test.ts')).toContain("import('./packages-b-README.md.L3.ts')");
  expect(written('packages-b-README.md.test.ts')).not.toContain('L8');
});

test('finds a block by another name, a misspelt mode, a file that is not there, and an example that is not a block', () => {
  const { ok, output } = checkDocuments({
    'README.md': block('let a = 1;', 'typescript'),
    'docs/a.md': block('let a = 1;', 'ts norun'),
    'docs/b.md': block('let a = 1;', 'ts packages/a/src/gone.ts'),
    'packages/a/src/a.ts': '/**\n * @example\n * a()\n */\nexport const a = 1;\n',
  });
  expect(ok).toBe(false);
  expect(output.trim().split('\n')).toEqual([
    'README.md:3: call it ```ts',
    'docs/a.md:3: unknown: ts norun',
    'docs/b.md:3: there is no packages/a/src/gone.ts',
    'packages/a/src/a.ts:2: an @example without a ```ts block',
  ]);
});

test('finds a block that is no longer the file it names, and copies the file where that is asked for', () => {
  const shown = (code: string): string => block(code, 'ts packages/a/src/a.ts');
  const folder = fixture({ 'README.md': shown('let a = 1;'), 'packages/a/src/a.ts': 'let a = 2;\n' }, configs);
  const run = (words: string): Outcome => runCommand(`${writeOut}${words}`, { cwd: folder });
  const problem = 'README.md:3: differs from packages/a/src/a.ts: run npm run samples';
  expect(run('')).toMatchObject({ ok: false, output: expect.stringContaining(problem) });
  expect(run(' --write').ok).toBe(true);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(shown('let a = 2;'));
  expect(run('').ok).toBe(true);
});

test('fails if there is no block at all', () => {
  const folder = fixture({ 'README.md': '# Title\n' }, configs);
  const written = runCommand(writeOut, { cwd: folder });
  expect(written.ok).toBe(true);
  expect(runCommand('tsc -p tsconfig.doctest.json', { cwd: folder })).toMatchObject({ ok: false });
});
