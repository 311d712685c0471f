// Each check must find its planted violation, and must fail if its tool is missing.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checks, testGroups } from './checks.ts';
import { root, runCheck } from './commands.ts';
import { fixture } from '../fixtures/workspace/fixture.ts';

test('the tests of every project run, and in one group', () => {
  const config = readFileSync(join(root, 'vitest.config.ts'), 'utf8');
  const names = [...config.matchAll(/\bname: '([\w-]+)'/g)].map(([, name = '']) => name);
  expect(testGroups.flat().toSorted(byName)).toEqual(names.toSorted(byName));
  expect(names.length).toBeGreaterThan(5);
});

const byName = (one: string, other: string): number => one.localeCompare(other);

describe('format', () => {
  test('passes what is formatted', async () => {
    const outcome = await runCheck('format', fixture({ 'a.ts': "export const a = 'a';\n" }, ['.oxfmtrc.json']));
    expect(outcome).toMatchObject({ ok: true });
  });

  test('finds what is not', async () => {
    const outcome = await runCheck('format', fixture({ 'a.ts': 'export const a = "a"' }, ['.oxfmtrc.json']));
    expect(outcome).toMatchObject({ ok: false, output: expect.stringContaining('a.ts') });
  });
});

describe('lint', () => {
  const configs = ['.oxlintrc.json', 'tsconfig.base.json', 'tsconfig.json'];
  const planted: Readonly<Record<string, string>> = {
    'no-floating-promises': 'export function a(): void {\n  Promise.resolve(1);\n}',
    'no-explicit-any': 'export const a: any = 1;',
    'no-default-export': 'export default 1;',
    'no-cycle': "import { b } from './b.ts';\nexport const a = (): unknown => b;",
    'no-console': "console.log('a');",
    'no-import-type-side-effects': "import { type B } from './b.ts';\nexport type A = B;",
    'max-params': 'export const a = (b: 1, c: 2, d: 3, e: 4) => [b, c, d, e];',
    'max-lines': 'export {};\n'.repeat(401),
    complexity: `export const a = (b: number) => b${' === 1 ? 2 : b'.repeat(20)};`,
    'switch-exhaustiveness-check': "export function a(b: 'c' | 'd'): void {\n  switch (b) {\n    case 'c':\n  }\n}",
    'no-restricted-globals': 'export const a = process.argv;',
  };

  test('passes clean sources', async () => {
    const folder = fixture({ 'packages/a/src/a.ts': 'export const a: number = 1;\n' }, configs);
    expect(await runCheck('lint', folder)).toMatchObject({ ok: true });
  });

  test('finds each violation', async () => {
    const other = "import { a } from './a.ts';\nexport const b = (): unknown => a;\nexport type B = 1;\n";
    const sources = Object.entries(planted).flatMap(([rule, source]) => [
      [`packages/provider-${rule}/src/a.ts`, source],
      [`packages/provider-${rule}/src/b.ts`, other],
    ]);
    const { ok, output } = await runCheck('lint', fixture(Object.fromEntries(sources), configs));
    expect(ok).toBe(false);
    const findings = output.split('\n\n');
    const found = (rule: string): boolean =>
      findings.some((finding) => finding.includes(`${rule})`) && finding.includes(`provider-${rule}/src`));
    expect(Object.keys(planted).filter((rule) => !found(rule))).toEqual([]);
  });
});

test('types finds an error wherever there is source, and takes an index for possibly undefined', async () => {
  const files = [
    'packages/a/src/a.ts',
    'packages/a/src/a.test.ts',
    'apps/a/src/main.ts',
    'tooling/a.ts',
    'a.config.ts',
  ];
  const sources = files.map((path) => [path, 'export const a: number = [1][0];\n']);
  const folder = fixture(Object.fromEntries(sources), ['tsconfig.base.json', 'tsconfig.json', 'package.json']);
  const { ok, output } = await runCheck('types', folder);
  expect(ok).toBe(false);
  for (const path of files) expect(output).toContain(`${path}(1,14): error TS2322`);
});

describe('neutral', () => {
  const configs = ['tsconfig.base.json', 'tsconfig.neutral.json', 'tooling/tsconfig', 'package.json'];

  test('passes what every platform has', async () => {
    const folder = fixture({ 'packages/core/src/a.ts': 'export const a = new AbortController();\n' }, configs);
    expect(await runCheck('neutral', folder)).toMatchObject({ ok: true });
  });

  test('finds what only some have', async () => {
    const globals = ['process', 'document', 'fetch', 'Buffer', 'localStorage'];
    const source = globals.map((name) => `void ${name};\n`).join('');
    const { ok, output } = await runCheck('neutral', fixture({ 'packages/core/src/a.ts': source }, configs));
    expect(ok).toBe(false);
    for (const index of globals.keys()) expect(output).toContain(`packages/core/src/a.ts(${index + 1},6): error`);
  });

  test('finds the types of Node.js, when a dependency brings them in', async () => {
    const folder = fixture({ 'packages/core/src/a.ts': '/// <reference types="node" />\nexport {};\n' }, configs);
    expect(await runCheck('neutral', folder)).toMatchObject({
      ok: false,
      output: expect.stringContaining('absent.ts'),
    });
  });
});

test('unused finds a dead file, a dead export and a dead dependency', async () => {
  const manifest = { name: 'a', exports: './src/index.ts', dependencies: { zod: '*' } };
  const folder = fixture(
    {
      'package.json': { name: 'root', private: true, workspaces: ['packages/*'] },
      'packages/a/package.json': manifest,
      'packages/a/src/index.ts': "export { b } from './b.ts';\n",
      'packages/a/src/b.ts': 'export const b = 1;\nexport const deadExport = 2;\n',
      'packages/a/src/dead-file.ts': 'export const c = 1;\n',
    },
    ['knip.json'],
  );
  const { ok, output } = await runCheck('unused', folder);
  expect(ok).toBe(false);
  for (const dead of ['dead-file.ts', 'deadExport', 'zod']) expect(output).toContain(dead);
});

/** All sources of the check runner. */
const runner = [
  'tooling/workspace',
  ...['changed', 'checks', 'commands', 'main'].map((name) => `tooling/checks/${name}.ts`),
  ...['alone', 'report', 'stray-errors', 'tally'].map((name) => `tooling/results/${name}.ts`),
];

test('a test that fails beside others is run by itself, and named if it passes then', () => {
  const config = `
    import { strayErrorsReporter } from './tooling/results/stray-errors.ts';
    const project = (name) => ({ extends: true, test: { name, include: name === 'node' ? ['packages/*/src/*.test.ts'] : [] } });
    export default { test: {
      reporters: ['json', strayErrorsReporter(import.meta.dirname)],
      outputFile: { json: '.results/vitest.json' },
      passWithNoTests: true,
      projects: ${JSON.stringify(testGroups.flat())}.map(project),
    } };`;
  const noChecks = `
    export const checks = {};
    export const [printed, quick, beforeTests, afterTests] = [[], [], [], []];
    export const testGroups = ${JSON.stringify(testGroups)};`;
  const flaky = `
    import { existsSync, writeFileSync } from 'node:fs';
    import { test } from 'vitest';
    test('passes the second time', () => {
      if (existsSync('been-here')) return;
      writeFileSync('been-here', '');
      throw new Error('too slow');
    });`;
  const run = (source: string) => {
    const sources = {
      'vitest.config.mjs': config,
      'tooling/checks/checks.ts': noChecks,
      'packages/a/package.json': {},
      'packages/a/src/a.test.ts': source,
    };
    const folder = fixture(sources, runner);
    const { stdout } = spawnSync(process.execPath, [join(folder, 'tooling/checks/main.ts')], { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => /^(?:! |tests: |✗ outside|✗ Vitest)/.test(line));
  };
  const [named = '', counts = ''] = run(flaky);
  expect(named).toBe('! packages/a/src/a.test.ts failed beside others, and passed by itself: make it steady');
  expect(counts).toContain('tests: 1 passed');
  expect(
    run(`import { test } from 'vitest'; test('waits for nobody', () => void Promise.reject(new Error('stray')));`)[0],
  ).toBe('✗ outside of a test: stray');
});

test('checks run before, during and after the tests, and a failure during them is printed when they are over', () => {
  const config = "export default { test: { reporters: ['verbose'], projects: [{ test: { name: 'node' } }] } };";
  const waits = `
    import { existsSync } from 'node:fs';
    import { test, vi } from 'vitest';
    test('waits for concurrent work', () => vi.waitFor(() => {
      if (!existsSync('been-here')) throw new Error('nothing runs beside');
    }, 60_000));`;
  const violation = `
    import { writeFileSync } from 'node:fs';
    writeFileSync('been-here', '');
    console.error('the planted violation');
    process.exitCode = 1;`;
  const files = { 'vitest.config.mjs': config, 'a.test.ts': waits, 'tooling/shape/main.ts': violation };
  const folder = fixture(files, runner);
  const words = ['models', 'shape', 'docs', 'tests'];
  const { stdout, status } = spawnSync(process.execPath, [join(folder, 'tooling/checks/main.ts'), ...words], {
    encoding: 'utf8',
  });
  const printed = 'the planted violation';
  const orders = [
    ['✗ docs', 'waits for concurrent work', printed, '✗ models', '✗ the check "shape"'],
    ['✗ shape', printed],
  ];
  for (const said of orders) {
    const places = said.map((text) => stdout.indexOf(text));
    expect([places.includes(-1), stdout]).toEqual([false, stdout]);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  }
  expect(status).toBe(1);
});

test('every check fails if its tool is missing, and the closing line counts it', () => {
  const folder = fixture({}, runner);
  rmSync(join(folder, 'node_modules'));
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'tooling/checks/main.ts')], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  const missing = Object.keys(checks);
  for (const name of missing) expect(stdout).toContain(`✗ the check "${name}" failed`);
  expect(stdout).toContain('There is no report of the tests');
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`tests: 0 passed, ${missing.length + 1} failed, 0 skipped`);
  expect(status).toBe(1);
});
