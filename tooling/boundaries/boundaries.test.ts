// A violation is planted for each rule, in a workspace that has none otherwise.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { findCycles } from './cycles.ts';
import { readImports } from './imports.ts';
import { findViolations } from './violations.ts';

const core = { '@utensil/core': 'workspace:^' };
const entries = (...names: readonly string[]) => ({
  './package.json': './package.json',
  ...Object.fromEntries(names.map((name) => [name, {}])),
});

const good = {
  'package.json': { name: 'root', devDependencies: { vitest: '*', esbuild: '*' } },
  'packages/core/package.json': {
    name: '@utensil/core',
    exports: { ...entries('.', './file-commands'), './testing': { '@utensil/source': './src/testing/index.ts' } },
    dependencies: { '@noble/hashes': '*' },
    devDependencies: { 'fast-check': '*', '@utensil/storage-memory': '*' },
  },
  'packages/core/src/index.ts': [
    "export { hash } from './base/hash.ts';",
    "export type { A } from './model/a.ts';",
    "export type { Step } from './run/run.ts';",
  ].join('\n'),
  'packages/core/src/base/hash.ts': "import { sha256 } from '@noble/hashes/sha2.js';\nexport const hash = sha256;\n",
  'packages/core/src/model/a.ts': "import type { B } from './b.ts';\nexport type A = B;\n",
  'packages/core/src/model/b.ts':
    "import { hash } from '../base/hash.ts';\nexport type B = 1;\nexport const b = hash;\n",
  'packages/core/src/model/later.ts': "export const a = async () => (await import('./b.ts')).b;\n",
  'packages/core/src/run/loop/step.ts': "import type { A } from '../../model/a.ts';\nexport type Step = A;\n",
  'packages/core/src/run/run.ts': "export type { Step } from './loop/step.ts';\n",
  'packages/core/src/testing/index.ts': "export { suite } from './suite.ts';\n",
  'packages/core/src/testing/suite.ts': "import { hash } from '../base/hash.ts';\nexport const suite = hash;\n",
  'packages/core/src/test-kit/runs.ts': "import { hash } from '../base/hash.ts';\nimport { expect } from 'vitest';\n",
  'packages/core/src/model/a.test.ts': [
    "import { readFileSync } from 'node:fs';",
    "import { expect } from 'vitest';",
    "import { fc } from 'fast-check';",
    "import { storage } from '@utensil/storage-memory';",
    "import { hash } from '@utensil/core';",
    "import type { Step } from '../run/run.ts';",
    "import { suite } from '../testing/index.ts';",
    "import { runs } from '../test-kit/runs.ts';",
    "import { fixture } from '../../../../tooling/fixture.ts';",
  ].join('\n'),
  'packages/provider-a/package.json': {
    name: '@utensil/provider-a',
    exports: entries('.'),
    peerDependencies: { ...core, vendor: '*' },
    devDependencies: { '@utensil/loopback': '*' },
  },
  'packages/provider-a/src/index.ts': [
    "import type { Message } from 'vendor/resources';",
    "import { defineTool } from '@utensil/core';",
    "export type Client = import('vendor').Client;",
    "export const load = () => import('vendor');",
  ].join('\n'),
  'packages/provider-a/src/a.test.ts':
    "import { suite } from '@utensil/core/testing';\nimport { loopback } from '@utensil/loopback';\n",
  'packages/tool-a/package.json': {
    name: '@utensil/tool-a',
    exports: entries('.'),
    peerDependencies: core,
    dependencies: { zod: '*' },
  },
  'packages/tool-a/src/index.ts':
    "import * as z from 'zod/mini';\nimport { edit } from '@utensil/core/file-commands';\n",
  'packages/text-dialects/package.json': {
    name: '@utensil/text-dialects',
    exports: entries('.'),
    peerDependencies: core,
    dependencies: { zod: '*' },
  },
  'packages/text-dialects/src/index.ts': "import { run } from '@utensil/core';\n",
  'packages/storage-memory/package.json': {
    name: '@utensil/storage-memory',
    exports: entries('.'),
    peerDependencies: core,
  },
  'packages/storage-memory/src/index.ts': "import { run } from '@utensil/core';\n",
  'packages/storage-filesystem/package.json': {
    name: '@utensil/storage-filesystem',
    exports: entries('.'),
    peerDependencies: core,
  },
  'packages/storage-filesystem/src/index.ts': "import { open } from 'node:fs/promises';\n",
  'packages/guarded-fetch/package.json': {
    name: '@utensil/guarded-fetch',
    exports: entries('.', './node'),
    peerDependencies: core,
  },
  'packages/guarded-fetch/src/node.ts': "import { lookup } from 'node:dns';\n",
  'packages/telemetry/package.json': {
    name: '@utensil/telemetry',
    exports: entries('.'),
    dependencies: { mine: '*' },
    peerDependencies: { ...core, theirs: '*' },
  },
  'packages/telemetry/src/index.ts': "import { trace } from 'theirs';\nimport { run } from '@utensil/core';\n",
  'apps/demo/package.json': { name: '@utensil/demo', dependencies: { ...core, '@utensil/storage-memory': '*' } },
  'apps/demo/src/main.ts':
    "import { argv } from 'node:process';\nimport { run } from '@utensil/core';\nimport { storage } from '@utensil/storage-memory';\n",
  'tooling/fixture.ts': "import { build } from 'esbuild';\n",
  'tooling/start.mjs': "import { argv } from 'node:process';\n",
  'tooling/loopback/package.json': { name: '@utensil/loopback', exports: './src/index.ts' },
  'tooling/loopback/src/index.ts':
    "import { createServer } from 'node:http';\nimport { fixture } from '../../fixture.ts';\n",
};

/** Findings with `planted` added, as `file:line rule`. */
function find(planted: Readonly<Record<string, unknown>> = {}): string[] {
  return findViolations(fixture({ ...good, ...planted })).map(({ file, line, rule }) => `${file}:${line} ${rule}`);
}

test('finds nothing if all is well', () => expect(find()).toEqual([]));

/** A room for planted files, in each package with rooms. */
const roomIn: Readonly<Record<string, string>> = { 'packages/core': 'run/', 'packages/text-dialects': 'scan/' };

test.for([
  // Core, which knows nobody
  ['undeclared-dependency', 'packages/core', "import { z } from 'zod/mini';"],
  ['undeclared-dependency', 'packages/core', "import { fc } from 'fast-check';"],
  ['undeclared-dependency', 'packages/core', "import { expect } from 'vitest';"],
  ['sibling-import', 'packages/core', "import { storage } from '@utensil/storage-memory';"],
  ['node-builtin', 'packages/core', "import { open } from 'node:fs';"],
  ['node-builtin', 'packages/core', "import { join } from 'path';"],
  ['testing-in-source', 'packages/core', "import { suite } from '../testing/index.ts';"],
  ['test-kit-in-source', 'packages/core', "import { runs } from '../test-kit/runs.ts';"],
  ['own-entry', 'packages/core', "import { hash } from '@utensil/core';"],
  ['unresolved', 'packages/core', "import { a } from './a.js';"],
  ['unresolved', 'packages/core', "import { a } from './a';"],
  // The ways to import
  ['escape', 'packages/tool-a', "import { a } from '../../core/src/a.ts';"],
  ['escape', 'packages/tool-a', "import type { A } from '../../core/src/a.ts';"],
  ['escape', 'packages/tool-a', "export { a } from '../../core/src/a.ts';"],
  ['escape', 'packages/tool-a', "export * from '../../core/src/a.ts';"],
  ['escape', 'packages/tool-a', "const a = await import('../../core/src/a.ts');"],
  ['escape', 'packages/tool-a', "type A = import('../../core/src/a.ts').A;"],
  ['escape', 'packages/tool-a', "const a = require('../../core/src/a.ts');"],
  ['escape', 'packages/tool-a', "import '/etc/a.ts';"],
  ['escape', 'packages/tool-a', "import { fixture } from '../../../tooling/fixture.ts';"],
  ['escape', 'packages/tool-a', "import { main } from '../../../apps/demo/src/main.ts';"],
  ['escape', 'packages/tool-a', "import { a } from '../../tool-ab/src/a.ts';"],
  ['escape', 'apps/demo', "import { a } from '../../../packages/core/src/a.ts';"],
  // Our other packages
  ['deep-import', 'packages/tool-a', "import { a } from '@utensil/core/src/a.ts';"],
  ['deep-import', 'apps/demo', "import { a } from '@utensil/core/dist/a.js';"],
  ['sibling-import', 'packages/tool-a', "import { storage } from '@utensil/storage-memory';"],
  ['sibling-import', 'packages/storage-memory', "import { edit } from '@utensil/core/file-commands';"],
  ['sibling-import', 'packages/tool-a', "import { loopback } from '@utensil/loopback';"],
  ['testing-in-source', 'packages/tool-a', "import { suite } from '@utensil/core/testing';"],
  ['app-import', 'packages/tool-a', "import { main } from '@utensil/demo';"],
  ['app-import', 'tooling/loopback', "import { main } from '@utensil/demo';"],
  ['undeclared-dependency', 'apps/demo', "import { a } from '@utensil/tool-a';"],
  // Packages of others
  ['eager-vendor', 'packages/provider-a', "import { Client } from 'vendor';"],
  ['eager-vendor', 'packages/provider-a', "import { type Client } from 'vendor';"],
  ['eager-vendor', 'packages/provider-a', "export { Client } from 'vendor';"],
  ['undeclared-dependency', 'packages/provider-a', "import type { Other } from 'other';"],
  ['undeclared-dependency', 'packages/telemetry', "import { trace } from 'mine';"],
  ['heavy-import', 'packages/tool-a', "import { z } from 'zod';"],
  ['vendor-import', 'packages/text-dialects', "import { z } from 'zod';"],
  // Node.js
  ['node-builtin', 'packages/storage-memory', "import { open } from 'node:fs';"],
  ['node-builtin', 'packages/guarded-fetch', "import { lookup } from 'node:dns';"],
] as const)('finds a planted %s: %s: %s', ([rule, folder, code]) => {
  const path = `${folder}/src/${roomIn[folder] ?? ''}planted.ts`;
  expect(find({ [path]: `\n${code}\n` })).toEqual([`${path}:2 ${rule}`]);
});

test.for([
  ['undeclared-dependency', 'packages/tool-a', "import { storage } from '@utensil/storage-memory';"],
  ['undeclared-dependency', 'packages/tool-a', "import { fc } from 'fast-check';"],
  ['app-import', 'packages/tool-a', "import { main } from '@utensil/demo';"],
  ['deep-import', 'packages/tool-a', "import { a } from '@utensil/core/src/a.ts';"],
  ['escape', 'packages/tool-a', "import { a } from '../../core/src/a.ts';"],
] as const)('finds a planted %s in a test: %s: %s', ([rule, folder, code]) => {
  expect(find({ [`${folder}/src/a.test.ts`]: code })).toEqual([`${folder}/src/a.test.ts:1 ${rule}`]);
});

test('finds core as a dependency if it has to be a peer', () => {
  const manifest = { name: '@utensil/tool-a', exports: entries('.'), dependencies: { ...core, zod: '*' } };
  expect(find({ 'packages/tool-a/package.json': manifest })).toEqual([
    'packages/tool-a/src/index.ts:2 undeclared-dependency',
  ]);
});

test('finds what a package below tooling/fixtures does not declare, and leaves the files beside it to the tooling', () => {
  const planted = {
    'tooling/fixtures/pages/package.json': { name: '@utensil/pages', exports: './src/index.ts' },
    'tooling/fixtures/pages/src/index.ts': "import { build } from 'esbuild';\n",
    'tooling/fixtures/scenes/scene.ts': "import { build } from 'esbuild';\n",
  };
  expect(find(planted)).toEqual(['tooling/fixtures/pages/src/index.ts:1 undeclared-dependency']);
});

test('finds one of our packages as a peer that has to be a dependency', () => {
  const pdfText = { '@utensil/pdf-text': 'workspace:^' };
  const tool = { name: '@utensil/tool-a', exports: entries('.') };
  const findWith = (manifest: unknown): string[] =>
    find({
      'packages/pdf-text/package.json': { name: '@utensil/pdf-text', exports: entries('.'), peerDependencies: core },
      'packages/pdf-text/src/index.ts': "import { run } from '@utensil/core';\n",
      'packages/tool-a/package.json': manifest,
      'packages/tool-a/src/pdf.ts': "import { readPdf } from '@utensil/pdf-text';\n",
    });
  expect(findWith({ ...tool, peerDependencies: core, dependencies: { zod: '*', ...pdfText } })).toEqual([]);
  expect(findWith({ ...tool, peerDependencies: { ...core, ...pdfText }, dependencies: { zod: '*' } })).toEqual([
    'packages/tool-a/src/pdf.ts:1 undeclared-dependency',
  ]);
});

test('finds an import of the test kit in a published suite, and as a type', () => {
  const planted = (code: string) => find({ 'packages/core/src/testing/planted.ts': `${code}\n` });
  const violation = ['packages/core/src/testing/planted.ts:1 test-kit-in-source'];
  expect(planted("import { runs } from '../test-kit/runs.ts';")).toEqual(violation);
  expect(planted("export type Runs = import('../test-kit/runs.ts').Runs;")).toEqual(violation);
});

describe('a file among shipped sources', () => {
  const manifest = (exports: unknown) => ({
    'packages/tool-a/package.json': { ...good['packages/tool-a/package.json'], exports },
  });
  const planted = {
    'packages/tool-a/src/scene.ts': "export { part } from './part.ts';\n",
    'packages/tool-a/src/part.ts': 'export const part = 1;\n',
    'packages/tool-a/src/a.test.ts': "import { part } from './scene.ts';\n",
  };

  test('is found if only tests reach it, directly or through another', () => {
    expect(find(planted)).toEqual([
      'packages/tool-a/src/part.ts:1 test-only',
      'packages/tool-a/src/scene.ts:1 test-only',
    ]);
    const app = { 'apps/demo/src/scene.ts': '', 'apps/demo/src/a.test.ts': "import './scene.ts';\n" };
    expect(find(app)).toEqual(['apps/demo/src/scene.ts:1 test-only']);
    const kit = { 'packages/tool-a/src/scene.ts': '', 'packages/tool-a/src/test-kit/a.ts': "import '../scene.ts';\n" };
    expect(find(kit)).toEqual(['packages/tool-a/src/scene.ts:1 test-only']);
  });

  test('is allowed if an entry or a program reaches it, too, or if no test does', () => {
    const entry = { './scene': { '@utensil/source': './src/scene.ts', default: './dist/scene.js' } };
    expect(find({ ...planted, ...manifest({ ...entries('.'), ...entry }) })).toEqual([]);
    const program = { 'packages/tool-a/src/main.ts': "export const run = () => import('./scene.ts');\n" };
    expect(find({ ...planted, ...program })).toEqual([]);
    expect(find({ ...planted, 'packages/tool-a/src/a.test.ts': '' })).toEqual([]);
  });
});

test('finds a cycle, once', () => {
  const planted = {
    'packages/core/src/base/one.ts': "\nimport { two } from './two.ts';\n",
    'packages/core/src/base/two.ts': "import { three } from './three.ts';\n",
    'packages/core/src/base/three.ts': "\n\nexport { one } from './one.ts';\n",
  };
  expect(find(planted)).toEqual(['packages/core/src/base/three.ts:3 cycle']);
});

test.for([
  ['types', "import type { Two } from './two.ts';"],
  ['a type in place', "type Two = import('./two.ts').Two;"],
  ['what is loaded later', "export const two = () => import('./two.ts');"],
])('finds a cycle of %s', ([, code]) => {
  const planted = {
    'packages/tool-a/src/one.ts': `${code}\n`,
    'packages/tool-a/src/two.ts': "export type { One } from './one.ts';\n",
  };
  expect(find(planted)).toEqual(['packages/tool-a/src/two.ts:1 cycle']);
});

test.for([
  ['a room above', 'base/planted.ts', "import { b } from '../model/b.ts';"],
  ['a type of a room above', 'base/planted.ts', "import type { A } from '../model/a.ts';"],
  ['the entry point', 'run/planted.ts', "import { hash } from '../index.ts';"],
  ['a loose file', 'run/planted.ts', "import { hash } from '../loose.ts';"],
  ['the room around the loop', 'run/loop/planted.ts', "import type { Step } from '../run.ts';"],
] as const)('finds an import of %s', ([, file, code]) => {
  const found = find({
    [`packages/core/src/${file}`]: `\n${code}\n`,
    ...(code.includes('loose') && { 'packages/core/src/loose.ts': 'export const hash = 1;\n' }),
  });
  expect(found).toContain(`packages/core/src/${file}:2 room`);
});

test.for(['loose.ts', 'loose.test.ts', 'cellar/a.ts'])('finds a file in no room: %s', (file) => {
  expect(find({ [`packages/core/src/${file}`]: '' })).toEqual([`packages/core/src/${file}:1 room`]);
});

test('says what to do instead', () => {
  const planted = "import { storage } from '@utensil/storage-memory';";
  const [violation] = findViolations(fixture({ ...good, 'packages/tool-a/src/a.ts': planted }));
  expect(violation?.message).toBe(
    'packages/tool-a does not know @utensil/storage-memory: take what it gives as an option',
  );
});

describe('the program', () => {
  const start = (root: string) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], { cwd: root, encoding: 'utf8' });

  test('passes if all is well', () => {
    expect(start(fixture(good))).toMatchObject({ status: 0, stderr: '' });
  });

  test.for([
    [
      'a violation',
      { ...good, 'packages/core/src/base/c.ts': "import 'node:fs';" },
      'packages/core/src/base/c.ts:1: node-builtin: ',
    ],
    ['no packages', {}, 'There are no packages in '],
    ['no sources', { 'packages/core/package.json': { name: 'core' } }, 'There are no sources in '],
    ['a package in no layer', { 'packages/new/package.json': { name: 'new' } }, 'packages/new is in no layer'],
    [
      'a file that is no module',
      { ...good, 'packages/core/src/base/c.ts': 'import {' },
      'packages/core/src/base/c.ts: ',
    ],
  ] as const)('fails on %s', ([, files, message]) => {
    expect(start(fixture(files))).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
  });

  test('fails if the parser is missing', () => {
    const root = fixture(
      {},
      ['boundaries', 'checks', 'workspace'].map((path) => `tooling/${path}`),
    );
    rmSync(join(root, 'node_modules'));
    const { status, stderr } = spawnSync(process.execPath, [join(root, 'tooling/boundaries/main.ts')], {
      cwd: fixture(good),
      encoding: 'utf8',
    });
    expect(stderr).toContain("Cannot find package 'oxc-parser'");
    expect(status).toBe(1);
  });
});

test('reads every kind of import, and its line', () => {
  const code = [
    "import a, { b } from 'value';",
    "import type { C } from 'type';",
    "import { type D } from 'still-value';",
    "export type * from 'types';",
    'const name = "x"; void import(name);',
    "void import('lazy');",
    "import 'effect';",
  ].join('\n');
  expect(readImports('a.ts', code).map(({ specifier, kind, line }) => `${line} ${kind} ${specifier}`)).toEqual([
    '1 value value',
    '2 type type',
    '3 value still-value',
    '4 type types',
    '6 lazy lazy',
    '7 value effect',
  ]);
});

test('finds each of two cycles that share a file', () => {
  const edges = (...to: readonly string[]) => to.map((file, index) => ({ to: file, line: index + 1 }));
  const graph = new Map([
    ['a', edges('b', 'c')],
    ['b', edges('a')],
    ['c', edges('d')],
    ['d', edges('a', 'e')],
    ['e', edges()],
  ]);
  expect(findCycles(graph).map(({ path }) => path.join(' '))).toEqual(['a b a', 'a c d a']);
});
