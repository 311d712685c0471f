import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { difference } from '../difference.ts';
import { fixture } from '../fixture.ts';
import { type Ceiling, forbidden } from './ceilings.ts';
import { readSurface } from './pin.ts';
import { weigh } from './sizes.ts';

const entry = (path: string) => ({ '@utensil/source': `./src/${path}`, default: './dist/a.js' });

const good = {
  'packages/core/package.json': {
    name: '@utensil/core',
    type: 'module',
    sideEffects: false,
    exports: { '.': entry('index.ts'), './testing': entry('testing/index.ts'), './package.json': './package.json' },
    dependencies: { '@noble/hashes': '*' },
  },
  'packages/core/src/index.ts': [
    "export { a, type A } from './a.ts';",
    "export type { B as Bee } from './a.ts';",
    "export * from './star.ts';",
    "export * as errors from './base/errors.ts';",
  ].join('\n'),
  'packages/core/src/a.ts': 'export interface A {}\nexport type B = 1;\nexport const a = 1;\n',
  'packages/core/src/star.ts':
    "export class Star {}\nexport const { b, c: [d] } = x;\nexport const later = () => import('./big.ts');\n",
  'packages/core/src/big.ts': `export const big = '${'0123456789abcdef'.repeat(9)}';\n`,
  'packages/core/src/base/errors.ts': "export const errorCodes = ['ENOENT', 'invalid_tool'] as const;\n",
  'packages/core/src/testing/index.ts': 'export function suite() {}\n',
  'packages/tool-a/package.json': {
    name: '@utensil/tool-a',
    sideEffects: false,
    exports: { '.': entry('index.ts') },
    peerDependencies: { '@utensil/core': '*' },
  },
  'packages/tool-a/src/index.ts': "import { a } from '@utensil/core';\nexport const tool = { a };\n",
  'packages/inner/package.json': { name: '@utensil/inner', private: true },
};

describe('the surface', () => {
  test('is each package, its dependencies and exports, and the error codes', async () => {
    expect(await readSurface(fixture(good))).toEqual([
      '@utensil/core dependency @noble/hashes',
      '@utensil/core file ./package.json',
      '@utensil/core package',
      '@utensil/core type A',
      '@utensil/core type Bee',
      '@utensil/core value Star',
      '@utensil/core value a',
      '@utensil/core value b',
      '@utensil/core value d',
      '@utensil/core value errors',
      '@utensil/core value later',
      '@utensil/core/testing value suite',
      '@utensil/tool-a package',
      '@utensil/tool-a peer @utensil/core',
      '@utensil/tool-a value tool',
      'error ENOENT',
      'error invalid_tool',
    ]);
  });

  const manifest = good['packages/core/package.json'];
  test.for([
    [
      'a new export',
      {
        'packages/core/src/a.ts': 'export const a = 1;',
        'packages/core/src/star.ts': `${good['packages/core/src/star.ts']}export let e = 1;`,
      },
      ['+ @utensil/core value e'],
    ],
    ['an export that went', { 'packages/tool-a/src/index.ts': 'export {};' }, ['- @utensil/tool-a value tool']],
    [
      'an export that is only a type now',
      { 'packages/tool-a/src/index.ts': 'export type tool = 1;' },
      ['- @utensil/tool-a value tool', '+ @utensil/tool-a type tool'],
    ],
    [
      'a dependency',
      { 'packages/core/package.json': { ...manifest, dependencies: { zod: '*', '@noble/hashes': '*' } } },
      ['+ @utensil/core dependency zod'],
    ],
    ['a package', { 'packages/tool-b/package.json': { name: '@utensil/tool-b' } }, ['+ @utensil/tool-b package']],
    [
      'an error code',
      { 'packages/core/src/base/errors.ts': "export const errorCodes = ['ENOENT'] as const;" },
      ['- error invalid_tool'],
    ],
  ] as const)('shows %s', async ([, planted, changes]) => {
    const before = await readSurface(fixture(good));
    expect(difference(before, await readSurface(fixture({ ...good, ...planted })))).toEqual(changes);
  });

  test.for([
    [
      'no packages',
      { 'packages/core/package.json': { name: 'a', private: true } },
      'There are no published packages in ',
    ],
    [
      'a missing entry',
      { ...good, 'packages/core/package.json': { ...manifest, exports: { '.': entry('gone.ts') } } },
      'There is no entry point ',
    ],
    [
      'an entry that is no module',
      { ...good, 'packages/core/src/a.ts': '', 'packages/core/src/star.ts': 'export {' },
      'star.ts: ',
    ],
    [
      'an entry with the exports of others',
      { ...good, 'packages/core/src/index.ts': "export * from 'zod';" },
      'cannot be pinned',
    ],
    ['no error codes', { ...good, 'packages/core/src/base/errors.ts': 'export {};' }, 'exports no errorCodes'],
  ] as const)('cannot be read from %s', async ([, files, message]) => {
    await expect(readSurface(fixture(files))).rejects.toThrow(message);
  });
});

describe('the sizes', () => {
  const noise = (length: number) =>
    Array.from({ length }, (_, index) => ((index + 1) * 7919 ** 3).toString(36)).join('');
  const files = {
    ...good,
    'packages/core/src/star.ts': "export const later = () => import('./big.ts');\n",
    'packages/core/src/big.ts': `export const big = '${noise(50)}';\n`,
  };
  const ceilings: Readonly<Record<string, Ceiling>> = {
    '@utensil/core': { eager: 400, lazy: 900 },
    '@utensil/core/testing': { eager: 100 },
    '@utensil/tool-a': { eager: 150 },
    least: { imports: "import { a } from '@utensil/core';\nexport const b = a;", eager: 80, limit: 80 },
  };
  const find = async (planted: object, changed: Readonly<Record<string, Ceiling>> = {}) =>
    (await weigh(fixture({ ...files, ...planted }), { ceilings: { ...ceilings, ...changed }, forbidden })).problems;

  test('tell what loads at once from what loads later, and leave out peers', async () => {
    const { sizes, problems } = await weigh(fixture(files), { ceilings, forbidden });
    expect(problems).toEqual([]);
    expect(sizes['@utensil/core']?.lazy).toBeGreaterThan(300);
    expect(sizes['least']?.lazy).toBe(0);
    const core = {
      'packages/core/src/a.ts': `export const a = '${noise(100)}';\nexport type A = 1;\nexport type B = 1;\n`,
    };
    expect((await weigh(fixture({ ...files, ...core }), { ceilings, forbidden })).sizes['@utensil/tool-a']).toEqual(
      sizes['@utensil/tool-a'],
    );
  });

  test.for([
    [
      'over its ceiling',
      { 'packages/tool-a/src/index.ts': `export const tool = '${noise(100)}';` },
      '@utensil/tool-a: ',
    ],
    [
      'over its ceiling later',
      { 'packages/core/src/big.ts': `export const big = '${noise(200)}';` },
      '@utensil/core: ',
    ],
    ['eager that was lazy', { 'packages/core/src/star.ts': "export * from './big.ts';" }, '@utensil/core: '],
  ] as const)('find what is %s', async ([, planted, message]) => {
    expect(await find(planted)).toEqual([
      expect.stringMatching(new RegExp(`^${message}\\d+ bytes.* over its ceiling of`)),
    ]);
  });

  test.for([
    ['typeof process.env', 'process'],
    ["globalThis.require('a')", 'require'],
    ["import('node:fs')", 'node:'],
  ] as const)('find %s in core', async ([code, word]) => {
    const problems = await find({
      'packages/core/src/star.ts': `export const later = () => [${code}, import('./big.ts')];`,
    });
    expect(problems).toEqual([expect.stringContaining(word)]);
  });

  test('find a package that comes along undeclared', async () => {
    const planted = {
      'packages/tool-a/node_modules/declared/index.js': "export { b } from 'stowaway';\n",
      'packages/tool-a/node_modules/stowaway/index.js': 'export const b = 1;\n',
      'packages/tool-a/src/index.ts': "export { b } from 'declared';\n",
      'packages/tool-a/package.json': { ...good['packages/tool-a/package.json'], dependencies: { declared: '*' } },
    };
    expect(await find(planted)).toEqual(['@utensil/tool-a: it brings along stowaway, undeclared']);
  });

  test('find an entry without a ceiling', async () => {
    const { 'packages/core/package.json': manifest } = good;
    const exports = { ...manifest.exports, './new': entry('a.ts') };
    expect(await find({ 'packages/core/package.json': { ...manifest, exports } })).toEqual([
      '@utensil/core/new: it has no ceiling',
    ]);
  });

  test('find a ceiling over its limit', async () => {
    const problems = await find({}, { least: { imports: "export { a } from '@utensil/core';", eager: 90, limit: 80 } });
    expect(problems).toEqual(['least: its ceiling of 90 is over its limit of 80']);
  });

  test.for([
    [
      'nothing to measure',
      { 'packages/a/package.json': { name: 'a', private: true } },
      'There are no published packages in ',
    ],
    [
      'an entry that is gone',
      { ...files, 'packages/tool-a/src/index.ts': "export * from './gone.ts';" },
      'Could not resolve',
    ],
  ] as const)('cannot be taken of %s', async ([, planted, message]) => {
    await expect(weigh(fixture(planted), { ceilings, forbidden })).rejects.toThrow(message);
  });
});

describe('the program', () => {
  const start = (root: string, ...words: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'tooling/surface/main.ts'), ...words], { cwd: root, encoding: 'utf8' });
  const copies = ['surface', 'difference.ts', 'manifest.ts', 'members.ts', 'report.ts'].map(
    (path) => `tooling/${path}`,
  );
  const small = {
    ...good,
    'packages/core/src/a.ts': 'export const defineTool = 1;\n',
    'packages/core/src/index.ts':
      "export { defineTool } from './a.ts';\nexport { errorCodes } from './base/errors.ts';\n",
    'packages/tool-a/src/index.ts': "export { defineTool } from '@utensil/core';\n",
  };
  const limits = `export const ceilings = { '@utensil/core': { eager: 200 }, '@utensil/core/testing': { eager: 100 }, '@utensil/tool-a': { eager: 100 } };
    export const forbidden = [];`;
  const plant = () => {
    const root = fixture(small, copies);
    writeFileSync(join(root, 'tooling/surface/ceilings.ts'), limits);
    return root;
  };

  test('takes the surface as it is, passes, and fails after a change', () => {
    const root = plant();
    expect(start(root, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(start(root)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('@utensil/tool-a') });
    expect(readFileSync(join(root, 'tooling/surface/surface.txt'), 'utf8')).toContain(
      '@utensil/core value defineTool\n',
    );
    writeFileSync(join(root, 'packages/core/src/index.ts'), "export { errorCodes } from './base/errors.ts';\n");
    writeFileSync(join(root, 'packages/tool-a/src/index.ts'), 'export const tool = 1;\n');
    expect(start(root)).toMatchObject({
      status: 1,
      stderr: [
        'The public surface changed. If that is meant: pnpm surface',
        '- @utensil/core value defineTool',
        '- @utensil/tool-a value defineTool',
        '+ @utensil/tool-a value tool',
        '',
      ].join('\n'),
    });
  });

  test('fails where there is no pin', () => {
    const root = plant();
    rmSync(join(root, 'tooling/surface/surface.txt'), { force: true });
    expect(start(root)).toMatchObject({ status: 1, stderr: expect.stringContaining('+ @utensil/core package') });
  });

  test('fails where the bundler is missing', () => {
    const root = plant();
    rmSync(join(root, 'node_modules'));
    expect(start(root)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/Cannot find package '(?:rolldown|oxc-parser)'/),
    });
  });
});
