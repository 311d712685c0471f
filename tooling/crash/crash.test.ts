// A process that is killed at any moment of a commit. `pnpm test:long` does so many more times.

import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { contentAfter, contentOf, changesOf } from './changes.ts';
import type { Content, Storage } from './changes.ts';

const kills = inject('isLong') ? 200 : 20;
const storageModule = join(import.meta.dirname, '../../packages/storage-filesystem/src/index.ts');

type Child = ChildProcessByStdio<Writable, Readable, null>;
const children = new Set<Child>();

let place: string;
let root: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'utensil-'));
  root = join(place, 'root');
  // In one file each, because that starts ten times as fast.
  const options: BuildOptions = { bundle: true, platform: 'node', format: 'esm', conditions: ['@utensil/source'] };
  await build({ ...options, entryPoints: [storageModule], outfile: join(place, 'storage.mjs') });
  await build({ ...options, entryPoints: [join(import.meta.dirname, 'main.ts')], outfile: join(place, 'main.mjs') });
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await rm(place, { recursive: true });
});

async function open(): Promise<Storage> {
  const module: unknown = await import(/* @vite-ignore */ pathToFileURL(join(place, 'storage.mjs')).href);
  return (module as { filesystemStorage(root: string): Storage }).filesystemStorage(root);
}

function start(): Child {
  const child = spawn(process.execPath, [join(place, 'main.mjs'), join(place, 'storage.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.add(child);
  return child;
}

/** Output of a child until it was killed: after some commits, at a random moment of the next. */
async function killWithin(child: Child, number: number): Promise<readonly string[]> {
  let said = '';
  const isTime = 1 + Math.floor(Math.random() * 30);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (child.killed || said.split('begin').length <= isTime) return;
    const until = performance.now() + Math.random() * 4;
    while (performance.now() < until);
    child.kill('SIGKILL');
  });
  child.stdin.end(JSON.stringify({ root, number }));
  await once(child, 'close');
  children.delete(child);
  return said.trimEnd().split('\n');
}

const namesIn = async (place: string): Promise<readonly string[]> => readdir(join(root, '.utensil', place));

/** Progress of a commit, derived from its leftovers. */
async function momentOf(): Promise<string> {
  if ((await readlink(join(root, '.utensil/state'))).startsWith('active')) return 'some steps done';
  if ((await namesIn('lock')).length > 0) return 'the lock taken';
  return (await namesIn('tmp')).length > 0 ? 'staged' : 'announced';
}

const linesOf = (content: Content): string =>
  [...content]
    .map(([name, text]) => `${name} ${text ?? '(directory)'}`)
    .sort()
    .join('\n');

it('leaves all of a commit or nothing when it is killed', async () => {
  const moments: Record<string, number> = {};
  let [number, content, inside]: [number, Content, number] = [0, contentAfter(new Map(), 0), 0];
  await (await open()).commit({ expect: [], changes: changesOf(0), time: 0 });
  let next = start();
  for (let kill = 0; kill < kills; kill++) {
    const child = next;
    next = start();
    const said = await killWithin(child, number + 1);
    const moment = await momentOf();
    moments[moment] = (moments[moment] ?? 0) + 1;
    if (said.at(-1)?.startsWith('begin') === true) inside++;
    for (const line of said.filter((each) => each.startsWith('done'))) {
      number = Number(line.split(' ')[1]);
      content = contentAfter(content, number);
    }

    const storage = await open();
    const found = linesOf(await contentOf(storage));
    if (found !== linesOf(content)) content = contentAfter(content, ++number);
    expect(found, `after ${number} commits, one of which was interrupted`).toBe(linesOf(content));
    const changes = [{ tree: 'files', path: '/after', type: 'write', content: Buffer.from(`${kill}`) }] as const;
    expect(await storage.commit({ expect: [], changes, time: 0 })).toMatchObject({ ok: true });
    content = new Map(content).set('files:/after', `${kill}`);
    expect([await namesIn('tmp'), await namesIn('lock')]).toEqual([[], []]);
    await storage.close();
  }
  console.log(`${number} commits, ${kills} kills, of which ${inside} within a commit:`, moments);
  expect(inside).toBeGreaterThanOrEqual(kills * 0.9);
});
