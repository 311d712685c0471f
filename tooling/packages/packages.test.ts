import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, runCommand } from '../checks/checks.ts';
import { fixture } from '../fixtures/workspace/fixture.ts';

/** The files of a built package without a fault, before `change`. */
function builtPackage(name: string, change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const files: Record<string, unknown> = {
    'package.json': {
      name: `@utensil/${name}`,
      version: '1.0.0',
      license: 'MIT',
      type: 'module',
      files: ['dist', 'src'],
      exports: { '.': { '@utensil/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
    },
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

test('finds each fault, and goes on to the next package', () => {
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
  });
  expect(ok).toBe(false);
  expect(output).toContain('@utensil/throws: ./dist/index.js cannot be loaded: Error: at load');
  expect(output).toContain('@utensil/empty: ./dist/index.js exports nothing');
  expect(output).toMatch(/@utensil\/untyped: types: .*InternalResolutionError/);
  expect(output).toMatch(/@utensil\/unpacked: .*\/dist\/index.js.* does not exist/);
  expect(output).toMatch(/a program with --module nodenext:\n.*untyped.*TS2307/);
  expect(output).toMatch(/a program with --module esnext --moduleResolution bundler:\n.*untyped.*TS2307/);
});

test('finds tests and what only they need in a tarball', () => {
  const { output } = checkPackages(
    builtPackage('tested', {
      'src/a.test.ts': '',
      'src/a.test-d.ts': '',
      'src/test-kit/scene.ts': '',
      'src/fixtures/page.html': '',
      'src/latest.ts': '',
    }),
  );
  expect(output.match(/(?<=src\/).*(?= is packed, and only tests need it)/g)?.sort()).toEqual([
    'a.test-d.ts',
    'a.test.ts',
    'fixtures/page.html',
    'test-kit/scene.ts',
  ]);
});

test('fails where there is no package', () => {
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
