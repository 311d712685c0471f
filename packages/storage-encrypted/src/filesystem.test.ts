// On a real disk: what is stored has names that a disk takes, and stays when nothing else does.

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles, createRecords } from '@utensil/core';
import { recordSuite, storageSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { afterAll, describe, expect, it, test } from 'vitest';
import { sampled } from '../../../tooling/sampled.ts';
import { storedSize } from './content.ts';
import { allBelow, key } from './test-kit/damage.ts';
import { encryptedStorage } from './encrypted.ts';

const root = await mkdtemp(join(tmpdir(), 'utensil-encrypted-'));
afterAll(() => rm(root, { recursive: true }));

describe('encryptedStorage in a directory', () => {
  const make = async (): Promise<StorageBackend> => {
    const place = await mkdtemp(join(root, 'suite-'));
    const open = async (namespace: string) => encryptedStorage(filesystemStorage(join(place, namespace)), key);
    return { open, destroy: async () => {} };
  };
  // Over another storage all of both are run, and of the disk alone.
  storageSuite({ test: sampled(test, { always: /paths/, never: /500|100/ }) }, make);
  recordSuite({ test: sampled(test) }, make);

  it.each(['encrypted', 'plain'] as const)('sets a damaged record aside, with %s names', async (names) => {
    const place = join(root, `damaged-${names}`);
    const open = () => encryptedStorage(filesystemStorage(place), key, { names });
    const records = createRecords(open());
    for (const id of ['a', 'B'.repeat(50), 'c']) await records.put(['log', id], id);
    const [inner, stored] = [filesystemStorage(place), storedSize('"c"\n'.length)];
    const written = await inner.list({ tree: 'records', path: '/', depth: 9, limit: 99 });
    const [at] = written.filter(({ size, path }) => size > stored && !/\/(?:k[a-z2-7]{32}|\.encryption.*)$/.test(path));
    const host = join(place, '.utensil/records', at?.path ?? '');
    const harmed = (await readFile(host)).map((byte, index) => (index === 50 ? byte ^ 8 : byte));
    await writeFile(host, harmed);

    const again = createRecords(open());
    const listed = async (): Promise<readonly unknown[]> => {
      const found: unknown[] = [];
      for await (const each of again.list(['log'])) found.push('problem' in each ? each.problem.code : each.value);
      return found;
    };
    expect(await listed()).toEqual(['record_corrupt', 'a', 'c']);
    await again.setAside(['log', 'B'.repeat(50)]);
    expect(await listed()).toEqual(['a', 'c']);
    await again.put(['log', 'B'.repeat(50)], 'new');
    expect(await listed()).toEqual(['new', 'a', 'c']);
    const contents = await Promise.all((await allBelow(inner)).map(async (each) => (await inner.read(each))?.content));
    expect(contents.filter((content) => content !== undefined && Buffer.from(content).equals(harmed))).toHaveLength(1);
  });

  it('leaves nothing on the disk that anybody can read', async () => {
    const place = join(root, 'canary');
    const files = createFiles(encryptedStorage(filesystemStorage(place), key));
    await files.write(`/canary/${'canary'.repeat(40)}.md`, 'canary '.repeat(50));
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? await readFile(path, 'latin1') : '';
      expect(`${path.slice(place.length)} ${content}`).not.toContain('canary');
    }
  });
});
