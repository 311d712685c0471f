import { createFiles, createRecords } from '@utensil/core';
import type { Files } from '@utensil/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from './test-kit/database.ts';
import type { TestDatabase } from './test-kit/database.ts';

const forty = Array.from({ length: 40 }, (_, index) => index);

let database: TestDatabase;

beforeEach(() => {
  database = testDatabase();
});
afterEach(() => database.end());

/** Adds a line to a log in two steps, which only a batch makes one. */
async function log(files: Files, line: number): Promise<void> {
  const { text } = await files.readText('/log');
  await files.write('/log', `${text}${line} `);
}

const logged = async (files: Files): Promise<readonly number[]> =>
  (await files.readText('/log')).text.trimEnd().split(' ').map(Number);

const sorted = (numbers: readonly number[]): readonly number[] => numbers.toSorted((left, right) => left - right);

describe.each(['relaxed', 'strict'] as const)('with durability %s', (durability) => {
  it('40 batches of one Files at once all land, in the order of their calls', async () => {
    const files = createFiles(database.open({ durability }));
    await files.write('/log', '');
    await Promise.all(forty.map((index) => files.batch((staged) => log(staged, index))));
    expect(await logged(files)).toEqual(forty);
  });

  it('40 batches of connections of their own, as other tabs have them, all land', async () => {
    const files = createFiles(database.open({ durability }));
    await files.write('/log', '');
    const others = forty.map(() => createFiles(database.open({ durability })));
    await Promise.all(others.map((other, index) => other.batch((staged) => log(staged, index))));
    expect(sorted(await logged(files))).toEqual(forty);
  });

  it('40 records from 4 stores all land, over one storage and over one each', async () => {
    const shared = database.open({ durability });
    const drivers = [shared, shared, database.open({ durability }), database.open({ durability })];
    const stores = drivers.map((driver) => createRecords(driver));
    const numbers = await Promise.all(forty.map(async (index) => stores[index % 4]?.append(['log'], index)));
    expect(sorted(numbers.map(Number))).toEqual(forty.map((index) => index + 1));
  });
});
