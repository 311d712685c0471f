// Another program replaces a directory by a link and back, as fast as it can. These tests run only on Linux: elsewhere
// Node.js cannot open directories by number, so the guarantee does not apply.

import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createFiles } from '@utensil/core';
import type { ProjectFiles } from '@utensil/core';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { directoryReader } from './directory-reader.ts';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';

const swapper = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
const { parentPort, workerData: { directory, aside, outside } } = require('node:worker_threads');
const wait = () => { for (let until = performance.now() + Math.random() * 0.2; performance.now() < until;); };
parentPort.postMessage('ready');
const attempt = (work) => { try { work(); } catch {} };
for (const end = performance.now() + 20_000; performance.now() < end;) {
  attempt(() => renameSync(directory, aside));
  attempt(() => symlinkSync(outside, directory));
  wait();
  attempt(() => unlinkSync(directory));
  attempt(() => renameSync(aside, directory));
  wait();
}
`;

let place: string;
let root: string;
let outside: string;
let files: ProjectFiles;
let worker: Worker;
beforeEach(async () => {
  place = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  [root, outside] = [join(place, 'root'), join(place, 'outside')];
  files = createFiles(filesystemStorage(root));
  await files.write('/d/e/text.md', 'inside');
  await fs.mkdir(join(outside, 'e'), { recursive: true });
  await fs.writeFile(join(outside, 'e/text.md'), 'outside'.padEnd(12_345));
  await fs.writeFile(join(outside, 'e/secret.md'), 'secret');
  const workerData = { directory: join(root, 'd'), aside: join(place, 'aside'), outside };
  worker = new Worker(swapper, { eval: true, workerData });
  await once(worker, 'message');
});
afterEach(async () => {
  await worker.terminate();
  await fs.rm(place, { recursive: true });
});

/** Each outcome of many calls, the last of them `expected` if that is given: a result, or the code of an error. */
async function outcomesOf(call: (index: number) => Promise<unknown>, expected?: string): Promise<ReadonlySet<string>> {
  const outcomes = new Set<string>();
  const isMissing = (): boolean => expected !== undefined && !outcomes.has(expected);
  for (let index = 0; index < (inject('isLong') ? 400 : 100) || isMissing(); index++) {
    const outcome = await call(index).catch((error: unknown) => (error as { readonly code: string }).code);
    outcomes.add(String(outcome));
  }
  return outcomes;
}

const allowed = new Set(['inside', 'ENOENT', 'EACCES', 'ECONFLICT', 'ENOTDIR', 'EIO', 'EBUSY', 'undefined']);

describe.runIf(process.platform === 'linux')('a directory that is swapped for a link', () => {
  it('is never read through it', async () => {
    const outcomes = await outcomesOf(async () => (await files.readText('/d/e/text.md')).text, 'inside');
    expect([...outcomes].filter((each) => !allowed.has(each))).toEqual([]);
  });

  it('is never listed or searched through it', async () => {
    const list = await outcomesOf(async () => (await files.list('/d', { depth: 2 })).entries.map(({ path }) => path));
    expect([...list].filter((each) => each.includes('secret'))).toEqual([]);
    const reader = directoryReader(root);
    const read = await outcomesOf(async () => {
      const found: string[] = reader.list('/d/e').map(({ name }) => name);
      const visit = (_: string, content: unknown): void => {
        if (content instanceof Uint8Array) found.push(Buffer.from(content).toString());
      };
      reader.readEach(['/d/e/text.md', '/d/e/secret.md'], { maxBytes: 100, visit });
      return found.join(' ');
    });
    expect([...read].filter((each) => /secret|outside/.test(each))).toEqual([]);
  });
});

/** The disk, on which the directory `d` is a link from just before a call on, and until just after it. */
function swappingAt(call: number): { readonly disk: FileSystem; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const swapped =
    (name: string, work: (...args: readonly unknown[]) => unknown) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      if (calls.push(name) - 1 !== call || !(await exists(join(root, 'd')))) return work(...args);
      await fs.rename(join(root, 'd'), join(place, 'aside'));
      await fs.symlink(outside, join(root, 'd'));
      try {
        return await work(...args);
      } finally {
        await fs.rm(join(root, 'd'), { recursive: true, force: true });
        await fs.rename(join(place, 'aside'), join(root, 'd'));
      }
    };
  const all = Object.entries(fs).filter(([, work]) => typeof work === 'function');
  const disk = Object.fromEntries(all.map(([name, work]) => [name, swapped(name, work as never)]));
  return { disk: disk as unknown as FileSystem, calls };
}

const exists = (path: string): Promise<boolean> =>
  fs.access(path).then(
    () => true,
    () => false,
  );

describe.runIf(process.platform === 'linux')('a directory that is a link for one call of the disk', () => {
  it.each<[string, (some: ProjectFiles) => Promise<unknown>]>([
    ['read', async (some) => (await some.readText('/d/e/text.md')).text],
    ['read in part', async (some) => (await some.read('/d/e/text.md', { start: 0, end: 3 })).bytes],
    ['read if nothing is there', async (some) => (await some.readText('/d/e/secret.md')).text],
    ['looked up', async (some) => some.stat('/d/e/secret.md')],
    ['listed', async (some) => (await some.list('/d', { depth: 2 })).entries],
    ['written', (some) => some.write('/d/e/text.md', 'changed')],
    ['written anew', (some) => some.write('/d/e/new.md', 'new')],
    ['made', (some) => some.makeDirectory('/d/e/made')],
    ['removed', (some) => some.remove('/d/e/secret.md')],
    ['removed with what is in it', (some) => some.remove('/d/e', { recursive: true })],
    ['moved away', (some) => some.move('/d/e/secret.md', '/stolen.md')],
    ['moved there', (some) => some.move('/other.md', '/d/e/other.md')],
    [
      'changed in a batch',
      (some) =>
        some.batch(async (all) => {
          await all.write('/d/e/text.md', 'changed');
          await all.write('/d/e/new.md', 'new');
          await all.move('/other.md', '/d/e/other.md');
          await all.makeDirectory('/d/e/made');
        }),
    ],
  ])('leads to nothing that is %s', async (_, work) => {
    await worker.terminate();
    let calls: readonly string[] = [];
    // Before the first call nothing is swapped. Then the sample has every fourth call, and the first of each function.
    for (let call = -1; call < calls.length; call++) {
      if (!inject('isLong') && call % 4 !== 0 && calls.indexOf(calls[call] ?? '') !== call) continue;
      await fs.rm(root, { recursive: true, force: true });
      await fs.rm(join(place, 'aside'), { recursive: true, force: true });
      const plain = createFiles(filesystemStorage(root));
      await plain.write('/d/e/text.md', 'inside');
      await plain.write('/other.md', 'other');
      const swapping = swappingAt(call);
      const result = await work(createFiles(filesystemStorage(root, { fs: swapping.disk }))).catch(
        (error: unknown) => (error as { readonly code: string }).code,
      );
      expect(JSON.stringify(result) ?? '', `call ${call}`).not.toMatch(/secret\.md|outside|"size":12345/);
      expect((await fs.readdir(join(outside, 'e'))).sort(), `call ${call}`).toEqual(['secret.md', 'text.md']);
      expect((await fs.readFile(join(outside, 'e/text.md'), 'utf8')).trimEnd()).toBe('outside');
      expect(await exists(join(root, 'stolen.md'))).toBe(false);
      if (swapping.calls.length > calls.length) calls = swapping.calls;
    }
  });
});

describe.runIf(process.platform === 'linux')('what is cleared away', () => {
  beforeEach(() => worker.terminate().then(() => {}));

  /** The disk, on which something happens once a directory of this name has been read. */
  const afterReading = (name: string, happens: (directory: string) => Promise<void>): FileSystem => ({
    ...fs,
    async readdir(path, options) {
      const [children, real] = [await fs.readdir(path, options), await fs.realpath(path)];
      if (real.endsWith(name) && (await exists(real))) await happens(real);
      return children;
    },
  });

  it('is never the target of a link inside a removed directory', async () => {
    const disk = afterReading('.out', async (directory) => {
      await fs.rm(join(directory, 'e'), { recursive: true, force: true });
      await fs.symlink(join(outside, 'e'), join(directory, 'e'));
    });
    await fs.rm(root, { recursive: true });
    const some = createFiles(filesystemStorage(root, { fs: disk }));
    await some.write('/d/e/text.md', 'inside');
    await some.remove('/d', { recursive: true });
    expect((await fs.readdir(join(outside, 'e'))).sort()).toEqual(['secret.md', 'text.md']);
  });

  it('is nothing in a folder that has become a link', async () => {
    await fs.rm(root, { recursive: true });
    await createFiles(filesystemStorage(root)).write('/a', 'a');
    const disk = afterReading('.utensil/tmp', async (directory) => {
      await fs.rm(directory, { recursive: true });
      await fs.symlink(join(outside, 'e'), directory);
    });
    const long = new Date(Date.now() - 24 * 3_600_000);
    await fs.writeFile(join(root, '.utensil/tmp/secret.md'), 'left behind');
    for (const at of [join(root, '.utensil/tmp/secret.md'), join(outside, 'e/secret.md')])
      await fs.utimes(at, long, long);
    await createFiles(filesystemStorage(root, { fs: disk }))
      .write('/b', 'b')
      .catch(() => {});
    expect(await exists(join(outside, 'e/secret.md'))).toBe(true);
  });
});
