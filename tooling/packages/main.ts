// Checks the packages as published: their contents, the resolution of their types, that every built entry can be
// imported and required, and that a strict program compiles against the declarations.

import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { type Manifest, readManifest } from '../workspace/manifest.ts';

interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

const require = createRequire(import.meta.url);
const work = resolve('.results/packages');
const bin = join(import.meta.dirname, '../../node_modules/.bin');

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const packages = globSync('packages/*/package.json')
  .sort()
  .map((path): Package => ({ folder: resolve(dirname(path)), manifest: readManifest(dirname(path)) }))
  .filter(({ manifest }) => manifest.private !== true);
if (packages.length === 0) throw new Error('There are no packages here.');

const problems: string[] = [];
for (const each of packages) {
  const found = [...(await problemsOfTarball(pack(each))), ...(await problemsOfEntries(each))];
  problems.push(...found.map((problem) => `${each.manifest.name}: ${problem}`));
}
problems.push(...problemsOfConsumer());
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

function pack({ folder, manifest }: Package): ArrayBuffer {
  const { name, version } = manifest;
  run('pnpm', ['pack', '--pack-destination', work], folder);
  const tarball = readFileSync(join(work, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`));
  return new Uint8Array(tarball).buffer;
}

async function problemsOfTarball(tarball: ArrayBuffer): Promise<string[]> {
  const packed = createPackageFromTarballData(new Uint8Array(tarball));
  const linted = await publint({ pack: { tarball }, strict: true });
  const typed = await checkPackage(packed);
  const wrong = typed.types === false ? ['there are no types'] : typed.problems.filter(isOurs).map(describe);
  const tests = packed
    .listFiles()
    .filter(isForTests)
    .map((file) => `${file} is packed, and only tests need it`);
  return [...linted.messages.map((message) => formatMessage(message, linted.pkg) ?? message.code), ...wrong, ...tests];
}

function isForTests(file: string): boolean {
  return /\.test(?:-d)?\.|\/(?:test-kit|fixtures|golden|__snapshots__)\//.test(file);
}

/**
 * Only ES modules are published: Node.js can require them since 20.19; resolution older than `exports` is not
 * supported.
 */
function isOurs(problem: { readonly kind: string; readonly resolutionKind?: string }): boolean {
  return problem.kind !== 'CJSResolvesToESM' && problem.resolutionKind !== 'node10';
}

function describe(problem: { readonly kind: string }): string {
  return `types: ${JSON.stringify(problem)}`;
}

async function problemsOfEntries({ folder, manifest }: Package): Promise<string[]> {
  const found: string[] = [];
  for (const file of builtEntries(manifest)) {
    try {
      const imported: object = await import(pathToFileURL(join(folder, file)).href);
      const required: unknown = require(join(folder, file));
      if (Object.keys(imported).length === 0) found.push(`${file} exports nothing`);
      if (imported !== required) found.push(`${file} is another module when it is required`);
    } catch (error) {
      found.push(`${file} cannot be loaded: ${String(error)}`);
    }
  }
  return found;
}

function builtEntries(manifest: Manifest): string[] {
  return Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === 'string' || target['default'] === undefined ? [] : [target['default']],
  );
}

/** Compiles a program that imports every entry, with type checks of all declarations. */
function problemsOfConsumer(): string[] {
  const imports: string[] = [];
  for (const { folder, manifest } of packages) {
    const link = join(work, 'node_modules', manifest.name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(folder, link, 'junction');
    for (const [entry, target] of Object.entries(manifest.exports ?? {}))
      if (typeof target !== 'string')
        imports.push(`export * as _${imports.length} from '${join(manifest.name, entry)}';\n`);
  }
  writeFileSync(join(work, 'consumer.ts'), imports.join(''));
  writeFileSync(join(work, 'package.json'), '{ "type": "module" }\n');
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--singleThreaded',
    '--strict',
    '--skipLibCheck',
    'false',
    '--target',
    'es2023',
    '--types',
    'node',
  ];
  return [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ].flatMap((resolution) => {
    const said = spawnSync(join(bin, 'tsc'), [...options, ...resolution, 'consumer.ts'], {
      cwd: work,
      encoding: 'utf8',
    });
    return said.status === 0 ? [] : [`a program with ${resolution.join(' ')}:\n${said.error?.message ?? said.stdout}`];
  });
}

function run(command: string, words: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(command, words, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${error?.message ?? stdout + stderr}`);
}
