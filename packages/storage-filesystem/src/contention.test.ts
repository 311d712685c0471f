import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles, createRecords } from '@utensil/core';
import type { Files } from '@utensil/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesystemStorage } from './filesystem.ts';

const forty = Array.from({ length: 40 }, (_, index) => index);

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'utensil-'));
});
afterEach(() => rm(root, { recursive: true }));

const open = () => filesystemStorage(root, { durability: 'power' });

/** Adds a line to a log in two steps, which only a batch makes one. */
async function log(files: Files, line: number): Promise<void> {
  const { text } = await files.readText('/log');
  await files.write('/log', `${text}${line} `);
}

const logged = async (files: Files): Promise<readonly number[]> =>
  (await files.readText('/log')).text.trimEnd().split(' ').map(Number);

const sorted = (numbers: readonly number[]): readonly number[] => numbers.toSorted((left, right) => left - right);

describe('on a disk that is waited for', () => {
  it('40 batches of one Files at once all land, in the order of their calls', async () => {
    const files = createFiles(open());
    await files.write('/log', '');
    await Promise.all(forty.map((index) => files.batch((staged) => log(staged, index))));
    expect(await logged(files)).toEqual(forty);
  });

  it('40 batches of storages of their own all land', async () => {
    const files = createFiles(open());
    await files.write('/log', '');
    await Promise.all(forty.map((index) => createFiles(open()).batch((staged) => log(staged, index))));
    expect(sorted(await logged(files))).toEqual(forty);
  });

  it('40 records from 4 stores all land, over one storage and over one each', async () => {
    const shared = open();
    const stores = [shared, shared, open(), open()].map((driver) => createRecords(driver));
    const numbers = await Promise.all(forty.map(async (index) => stores[index % 4]?.append(['log'], index)));
    expect(sorted(numbers.map(Number))).toEqual(forty.map((index) => index + 1));
  });
});
