import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { type Ceiling, forbidden } from './ceilings.ts';
import { readSurface } from './read-surface.ts';
import { comparePins } from './pin-files.ts';
import { weighBuilt } from './built-sizes.ts';
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

const configs = ['tsconfig.base.json', 'tsconfig.json'];
const known = new Map<string, ReturnType<typeof readSurface>>();
function surfaceOf(files: Readonly<Record<string, unknown>>): ReturnType<typeof readSurface> {
  const key = JSON.stringify(files);
  const surface = known.get(key) ?? readSurface(fixture(files, configs));
  known.set(key, surface);
  return surface;
}

const manifest = good['packages/core/package.json'];
const options = (type: string) => ({
  'packages/core/src/a.ts': `interface Options { readonly limit?: ${type} }\nexport interface A extends Options {}\nexport type B = 1;\nexport const a = (options: Options): 1 => 1;`,
});

/** A package with one entry. */
const tool = (name: string, source: string) => ({
  [`packages/${name}/package.json`]: { ...good['packages/tool-a/package.json'], name: `@utensil/${name}` },
  [`packages/${name}/src/index.ts`]: source,
});

/** One workspace with everything that changes, because each is compiled. */
const before = {
  ...good,
  ...options('number'),
  ...tool('tool-class', 'export { Tool } from "./a.ts";'),
  'packages/tool-class/src/a.ts': 'export class Tool {}',
  ...tool('tool-function', 'export function tool(a: 1): void {}'),
  ...tool('tool-inferred', 'const size = 1;\nexport const tool = { size };'),
};
const after = {
  ...before,
  ...options('number | string'),
  ...tool('tool-a', 'export {};'),
  ...tool('tool-class', 'export type { Tool } from "./a.ts";'),
  ...tool('tool-function', 'export function tool(a: 1, b?: 2): void {}'),
  ...tool('tool-inferred', "const size = '1';\nexport const tool = { size };"),
  'packages/core/package.json': { ...manifest, dependencies: { zod: '*', '@noble/hashes': '*' } },
  'packages/core/src/base/errors.ts': "export const errorCodes = ['ENOENT'] as const;",
  'packages/tool-b/package.json': { name: '@utensil/tool-b' },
};
const shown: readonly (readonly [string, string, readonly string[]])[] = [
  ['an export', 'tool-a.txt', ['-export declare const tool: {']],
  [
    'an export that is only a type now',
    'tool-class.txt',
    ['-export declare class Tool {', '+export type { Tool };', '+declare class Tool {'],
  ],
  [
    'the type of an option that is not itself exported',
    'core.txt',
    ['-    readonly limit?: number;', '+    readonly limit?: number | string;'],
  ],
  [
    'a parameter',
    'tool-function.txt',
    ['-export declare function tool(a: 1): void;', '+export declare function tool(a: 1, b?: 2): void;'],
  ],
  ['an inferred type', 'tool-inferred.txt', ['-    size: number;', '+    size: string;']],
  ['a dependency', 'packages.txt', ['+@utensil/core dependency zod']],
  ['a package', 'packages.txt', ['+@utensil/tool-b package']],
  ['an error code', 'packages.txt', ['-error invalid_tool']],
];

describe('the surface', () => {
  test('is each package, its dependencies and entries, and the error codes', async () => {
    const surface = await surfaceOf(good);
    expect([...surface.keys()]).toEqual(['packages.txt', 'core.txt', 'core.testing.txt', 'tool-a.txt']);
    expect(surface.get('packages.txt')?.split('\n')).toEqual([
      '@utensil/core dependency @noble/hashes',
      '@utensil/core entry .',
      '@utensil/core entry ./testing',
      '@utensil/core file ./package.json',
      '@utensil/core package',
      '@utensil/tool-a entry .',
      '@utensil/tool-a package',
      '@utensil/tool-a peer @utensil/core',
      'error ENOENT',
      'error invalid_tool',
      '',
    ]);
  });

  test('is the declarations of each entry, those that they need included', async () => {
    const surface = await surfaceOf({
      ...good,
      'packages/core/src/index.ts': [
        "export { make, type Options } from './make.ts';",
        "export type { Inner as Renamed } from './inner.ts';",
        "export type { Kind } from './inner.ts';",
        "export * as texts from './texts.ts';",
        "export type { Texts } from './make.ts';",
      ].join('\n'),
      'packages/core/src/make.ts': `
        import type { Inner as Alias } from './inner.ts';
        import * as texts from './texts.ts';
        /** Makes it. */
        export function make<Value>(options: Options<Value>): Alias;
        export function make(options: undefined): undefined;
        export function make(): unknown { return 1; }
        export interface Options<Value> extends Base { readonly value: Value; /* why */ readonly limit?: number }
        interface Base { readonly id: Lookup[Alias['name']] }
        type Lookup = { [Inner in string]: Inner };
        interface Unused { readonly id: string }
        export type Texts = typeof texts;
        declare global { interface Window { readonly made: Base } }
        export const unused = (unused: Unused) => unused;`,
      'packages/core/src/inner.ts': `
        import { parseSync } from 'oxc-parser';
        export interface Inner { readonly name: string; readonly parsed: ReturnType<typeof parseSync> }
        export class Kind { readonly inferred = import('./make.ts').then(({ unused }) => unused); private readonly secret = 1 }`,
      'packages/core/src/texts.ts': "export const one = 'Eins';\n",
    });
    expect(surface.get('core.txt')).toBe(`import { parseSync } from 'oxc-parser';

export type { Inner as Renamed };
export type { Kind };
export { one } as texts;

interface Base {
    readonly id: Lookup[Inner['name']];
}

interface Inner {
    readonly name: string;
    readonly parsed: ReturnType<typeof parseSync>;
}

declare class Kind {
    readonly inferred: Promise<typeof unused>;
    private readonly secret;
}

type Lookup = {
    [Inner in string]: Inner;
};

export interface Options<Value> extends Base {
    readonly value: Value;
    readonly limit?: number;
}

export type Texts = typeof texts;

interface Unused {
    readonly id: string;
}

declare global {
    interface Window {
        readonly made: Base;
    }
}

export declare function make<Value>(options: Options<Value>): Inner;

export declare function make(options: undefined): undefined;

declare const one = "Eins";

declare const unused: (unused: Unused) => Unused;
`);
  });

  test('does not change with the file or the order of a declaration, or a comment', async () => {
    const before = await surfaceOf(good);
    const after = await surfaceOf({
      ...good,
      'packages/core/src/index.ts': [
        "export * as errors from './base/errors.ts';",
        "export * from './star.ts';",
        "export type { B as Bee } from './b.ts';",
        "export { a, type A } from './a.ts';",
      ].join('\n'),
      'packages/core/src/a.ts': '// Moved.\nexport const a = 1;\nexport interface A {}\n',
      'packages/core/src/b.ts': 'export type B = 1;\n',
    });
    expect(comparePins(before, after)).toEqual([]);
  });

  test.for(shown)('shows a change of %s', async ([, file, lines]) => {
    const changes = comparePins(await surfaceOf(before), await surfaceOf(after));
    const change = changes.find((each) => each.startsWith(`${file}\n`)) ?? '';
    expect(change.split('\n')).toEqual(expect.arrayContaining([...lines]));
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
      'There are no declarations:',
    ],
    [
      'an entry that is no module',
      { ...good, 'packages/core/src/a.ts': '', 'packages/core/src/star.ts': 'export {' },
      'There are no declarations:',
    ],
    [
      'an entry with the exports of others',
      { ...good, 'packages/core/src/index.ts': "export * from 'zod';" },
      'cannot be pinned',
    ],
    [
      'an entry with a default export',
      { ...good, 'packages/core/src/index.ts': 'export default 1;' },
      'a default export cannot be pinned',
    ],
    ['no error codes', { ...good, 'packages/core/src/base/errors.ts': 'export {};' }, 'exports no errorCodes'],
  ] as const)('cannot be read from %s', async ([, files, message]) => {
    await expect(surfaceOf(files)).rejects.toThrow(message);
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

  test('distinguish eager from lazy code, and leave out peers', async () => {
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

  test('find an entry with too many names', async () => {
    const problems = await find({}, { '@utensil/core': { eager: 2_000, lazy: 2_000, names: 0 } });
    expect(problems).toEqual([expect.stringMatching(/^@utensil\/core: \d+ names, over its ceiling of 0$/)]);
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

describe('the sizes of what is built', () => {
  const dist = 'app/node_modules/@utensil/core';
  const built = {
    [`${dist}/package.json`]: { name: '@utensil/core', type: 'module', sideEffects: false, exports: './index.js' },
    [`${dist}/index.js`]:
      "export * from './index.tool.js';\nexport * from './index.start.js';\nexport * from './index.shared.js';\n",
    [`${dist}/index.shared.js`]: "export { answer } from './shared.js';\n",
    [`${dist}/index.tool.js`]: 'export const tool = 1;\n',
    [`${dist}/index.start.js`]: "export { start } from './start.js';\n",
    [`${dist}/start.js`]:
      "import { answer } from './shared.js';\nexport const start = () => [answer(1), import('./later.js')];\n",
    [`${dist}/later.js`]: "import { explain } from './shared.js';\nexport const later = explain('all of it');\n",
    [`${dist}/shared.js`]:
      "export const answer = (value) => value;\nexport const explain = (value) => [value, 'what is loaded later alone'];\n",
  };
  const ceilings = {
    tool: { program: "export { tool } from '@utensil/core';", eager: { esbuild: 60, rolldown: 60 } },
  };
  const weighIn = (files: Readonly<Record<string, unknown>>) =>
    weighBuilt(join(fixture({ 'app/package.json': { name: 'app' }, ...files }), 'app'), ceilings);
  const find = async (planted: object) => (await weighIn({ ...built, ...planted })).problems;

  test('are under their ceilings where an app gets only what it uses', async () => {
    expect(await find({})).toEqual([]);
  });

  test('report a flattened entry, for the bundler that keeps the modules behind it', async () => {
    const flat = [
      "export { tool } from './index.tool.js';",
      "export { start } from './start.js';",
      "export { answer } from './shared.js';",
    ].join('\n');
    expect(await find({ [`${dist}/index.js`]: flat })).toEqual([
      expect.stringMatching(/^tool, built and bundled by esbuild: \d+ bytes, over its ceiling of 60$/),
    ]);
  });

  test('report code that no bundler can leave out', async () => {
    const impure = `console.log('${'0123456789abcdef'.repeat(9)}');\nexport const tool = 1;\n`;
    expect(await find({ [`${dist}/index.tool.js`]: impure })).toHaveLength(2);
  });

  test('cannot be taken if nothing is built', async () => {
    await expect(weighIn({})).rejects.toThrow('@utensil/core');
  });
});

describe('the program', () => {
  const start = (root: string, ...words: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'tooling/surface/main.ts'), ...words], { cwd: root, encoding: 'utf8' });
  const tooling = ['surface', 'checks', 'workspace'].map((path) => `tooling/${path}`);
  const copies = [...tooling, ...configs];
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

  test('records the surface, passes, and fails after a change', () => {
    const root = plant();
    expect(start(root, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(start(root)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('@utensil/tool-a') });
    expect(readFileSync(join(root, 'tooling/surface/pins/core.txt'), 'utf8')).toContain(
      'export declare const defineTool = 1;\n',
    );
    writeFileSync(join(root, 'packages/core/src/a.ts'), 'export const defineTool = 2;\n');
    const { status, stderr } = start(root);
    expect(status).toBe(1);
    expect(stderr).toContain('The public surface changed. If that is meant: npm run surface\ncore.txt\n');
    expect(stderr).toContain('-export declare const defineTool = 1;\n+export declare const defineTool = 2;\n');
    expect(start(root, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(start(root)).toMatchObject({ status: 0, stderr: '' });
  });

  test('fails if there is no pin', () => {
    const root = plant();
    rmSync(join(root, 'tooling/surface/pins'), { recursive: true });
    expect(start(root)).toMatchObject({ status: 1, stderr: expect.stringContaining('+@utensil/core package') });
  });

  test('fails if the bundler is missing', () => {
    const root = plant();
    rmSync(join(root, 'node_modules'));
    expect(start(root)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/Cannot find package '(?:rolldown|oxc-parser|diff)'/),
    });
  });
});
