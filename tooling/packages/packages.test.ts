import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { root, runCommand } from '../checks/commands.ts';
import { fixture } from '../fixtures/workspace/fixture.ts';

const manifestOf = (name: string) => ({
  name: `@utensil/${name}`,
  version: '1.0.0',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  files: ['dist', 'src'],
  exports: { '.': { '@utensil/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
});

/** The files of a built package without a fault, before `change`. */
function builtPackage(name: string, change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const files: Record<string, unknown> = {
    'package.json': manifestOf(name),
    'src/index.ts': 'export const a = 1;\n',
    'dist/index.js': 'export const a = 1;\n',
    'dist/index.d.ts': 'export declare const a = 1;\n',
    ...change,
  };
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`packages/${name}/${path}`, content]));
}

function checkPackages(files: Readonly<Record<string, unknown>>) {
  return runCommand(`node ${join(root, 'tooling/packages/main.ts')}`, { cwd: fixture(files) });
}

test('passes a package without a fault', () => {
  expect(checkPackages(builtPackage('good'))).toEqual({ ok: true, output: '' });
});

test('finds each fault, also tests in a tarball and what only they need, and goes on to the next package', () => {
  const { ok, output } = checkPackages({
    ...builtPackage('throws', { 'dist/index.js': "throw new Error('at load');\n" }),
    ...builtPackage('empty', { 'dist/index.js': 'export {};\n' }),
    ...builtPackage('untyped', { 'dist/index.d.ts': "export * from './absent.js';\n" }),
    ...builtPackage('unpacked', {
      'package.json': {
        name: '@utensil/unpacked',
        version: '1.0.0',
        type: 'module',
        files: ['src'],
        exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      },
    }),
    ...builtPackage('tested', {
      'src/a.test.ts': '',
      'src/a.test-d.ts': '',
      'src/test-kit/scene.ts': '',
      'src/fixtures/page.html': '',
      'src/latest.ts': '',
    }),
  });
  expect(ok).toBe(false);
  expect(output).toContain('@utensil/throws: ./dist/index.js cannot be loaded: Error: at load');
  expect(output).toContain('@utensil/empty: ./dist/index.js exports nothing');
  expect(output).toMatch(/@utensil\/untyped: types: .*InternalResolutionError/);
  expect(output).toMatch(/@utensil\/unpacked: .*\/dist\/index.js.* does not exist/);
  expect(output).toMatch(/a program with --module nodenext:\n.*untyped.*TS2307/);
  expect(output).toMatch(/a program with --module esnext --moduleResolution bundler:\n.*untyped.*TS2307/);
  expect(output.match(/(?<=@utensil\/tested: .*src\/).*(?= is packed, and only tests need it)/g)?.sort()).toEqual([
    'a.test-d.ts',
    'a.test.ts',
    'fixtures/page.html',
    'test-kit/scene.ts',
  ]);
});

test('fails if there is no package', () => {
  expect(checkPackages({})).toMatchObject({
    ok: false,
    output: expect.stringContaining('There are no packages here.'),
  });
});

test('a package whose types are wrong cannot be built', () => {
  const folder = fixture(builtPackage('wrong', { 'src/index.ts': "export const a: number = 'a';\n" }));
  const built = runCommand(`node ${join(root, 'tooling/packages/build.ts')}`, { cwd: join(folder, 'packages/wrong') });
  expect(built).toMatchObject({ ok: false, output: expect.stringContaining('TS2322') });
});

/** Builds a package, with or without declarations. */
function buildPackage(files: Readonly<Record<string, unknown>>, what: '--code' | '' = '--code'): string {
  const folder = join(fixture(builtPackage('built', files)), 'packages/built');
  const { ok, output } = runCommand(`node ${join(root, 'tooling/packages/build.ts')} ${what}`, { cwd: folder });
  expect(output).toBe('');
  expect(ok).toBe(true);
  return join(folder, 'dist');
}

const shared = "export const shared = (value: string): string => value.replaceAll('shared', 'used by both');\n";
const parts = {
  'src/index.ts':
    "export { tool } from './tool.ts';\nexport { start } from './start.ts';\nexport { shared } from './shared.ts';\n",
  'src/tool.ts': '/** A tool. */\nexport const tool = <T>(value: T): T => value;\n',
  'src/shared.ts': shared,
};
const lazy = {
  ...parts,
  'src/start.ts': "export const start = async (): Promise<string> => (await import('./later.ts')).later();\n",
  'src/later.ts': "import { shared } from './shared.ts';\nexport const later = (): string => shared('shared');\n",
};

test('an app that splits its code by esbuild gets nothing with a tool but the tool', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { tool } from './index.js';", resolveDir: buildPackage(lazy) },
    outdir: 'out',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
  });
  expect(outputFiles[0]?.text).toContain('tool');
  expect(outputFiles[0]?.text).not.toContain('import');
});

test('a package that loads nothing later is a single file, with the paths of its sources and no comments', () => {
  const dist = buildPackage({ ...parts, 'src/start.ts': 'export const start = 1;\n' }, '');
  expect(readdirSync(dist).filter((file) => file.endsWith('.js'))).toEqual(['index.js']);
  expect(readFileSync(join(dist, 'index.js'), 'utf8')).not.toContain('/**');
  expect(readFileSync(join(dist, 'index.d.ts'), 'utf8')).toContain('tool');
  const map: unknown = JSON.parse(readFileSync(join(dist, 'index.js.map'), 'utf8'));
  expect(map).toMatchObject({ sources: expect.arrayContaining(['../src/tool.ts']) });
  expect(map).not.toHaveProperty('sourcesContent');
});

test('a module that is imported for its side effects is in the build of a package that declares them', () => {
  const dist = buildPackage({
    'package.json': { ...manifestOf('built'), sideEffects: true },
    'src/index.ts': "import './effect.ts';\nexport const a = 1;\n",
    'src/effect.ts': "Object.assign(globalThis, { effect: 'happened' });\n",
  });
  expect(readFileSync(join(dist, 'index.js'), 'utf8')).toContain('happened');
});

test('“use client” stays the first line of its entry', () => {
  const dist = buildPackage({ 'src/index.ts': "'use client';\nexport const a = 1;\n" });
  expect(readFileSync(join(dist, 'index.js'), 'utf8')).toMatch(/^["']use client["'];\n/);
});
