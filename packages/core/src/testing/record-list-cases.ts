import { createFiles } from '../files/create-files.ts';
import { logKey, logNumber } from '../files/record-key.ts';
import type { RecordStore } from '../records/records.ts';
import { assert, assertEqual } from './assert.ts';
import { randomPick } from './files-model.ts';
import { appends, idsOf, listed, make, range, valuesOf } from './record-kit.ts';
import type { OpenRecords, RecordCase } from './record-kit.ts';

/** Guarantees of a store about keys, numbers and pages. */
export const recordListCases = {
  'keeps records, whatever their ids': async (open) => {
    const opened = await open();
    const { records, driver } = opened;
    const ids = ['plain', 'a/b', '..', '', 'A', 'a', 'é'.repeat(200), 'x.json', '__proto__', 'a'.repeat(200)];
    for (const id of ids) await records.put(['threads', id], { id });
    await make(
      opened,
      ids.flatMap((id) => appends(['threads', id, 'events'], [id])),
    );
    assertEqual(
      (await valuesOf(opened, ['threads'])).map((value) => JSON.stringify(value)).sort(),
      ids.map((id) => JSON.stringify({ id })).sort(),
      'ids',
    );
    for (const id of ids) assertEqual(await valuesOf(opened, ['threads', id, 'events']), [id], `what is below '${id}'`);
    assertEqual((await createFiles(driver).list('/', { depth: 32 })).entries, [], 'what tools see of it');
    await records.remove(['threads', '..'], { recursive: true });
    assertEqual(await records.get(['threads', '..']), undefined, 'a removed record');
    assertEqual((await records.get(['threads', 'a/b']))?.value, { id: 'a/b' }, 'a record that stays');
  },

  'numbers the records of a log': async (open) => {
    const both = [await open(), await open()];
    const appending = range(0, 19).map((index) => (both[index % 2] as OpenRecords).records.append(['log'], index));
    const numbers = (await Promise.all(appending)).sort((left, right) => left - right);
    assertEqual(numbers, range(1, 20), 'the numbers');
    const fresh = await open();
    assertEqual((await listed(fresh, ['log'])).map(keyNumber), numbers, 'the numbers as listed');
    assertEqual(await fresh.records.last(['log']), 20, 'the last number');
  },

  'never reuses a number, even if a log has gaps': async (open) => {
    const opened = await open();
    const { records } = opened;
    await make(opened, appends(['log'], range(1, 150)));
    await records.put(['log', 'beside'], 'no number');
    await records.put([...logKey(['log'], 7), 'below'], 'no number');
    const removals = range(2, 140).map((number) => ({ type: 'remove', key: logKey(['log'], number) }) as const);
    await make(opened, [...removals, ...appends(['log'], [151])]);
    assertEqual(await (await open()).records.append(['log'], 152), 152, 'the number after a gap');
    await records.setAside(logKey(['log'], 152), { unless: () => false });
    const fresh = await open();
    assertEqual(await fresh.records.last(['log']), 152, 'the last number, of a record that was set aside');
    assertEqual(await fresh.records.append(['log'], 153), 153, 'the number after one that was set aside');
    const found = await valuesOf(opened, ['log'], { limit: 13 });
    assertEqual(found, [1, ...range(141, 151), 153], 'the records of the log');
    assertEqual(await records.last(['empty']), 0, 'the last number of an empty log');
  },

  'lists a log page by page': async (open) => {
    const opened = await open();
    await make(opened, appends(['log'], range(1, 30)));
    for (const limit of [1, 7, 30, 99]) {
      const pages: unknown[] = [];
      for (let after = 0; after < 30; after += Math.min(limit, 30)) {
        pages.push(...(await valuesOf(opened, ['log'], { after, limit })));
      }
      assertEqual(pages, range(1, 30), `pages of ${limit}`);
    }
    const { records } = opened;
    const tail = { after: (await records.last(['log'])) - 3 };
    assertEqual(await valuesOf(opened, ['log'], tail), [28, 29, 30], 'the last three');
    assertEqual(await valuesOf(opened, ['log'], { after: 30 }), [], 'what comes after the last');
    assertEqual(await valuesOf(opened, ['log'], { limit: 0 }), [], 'a page of nothing');
  },

  'lists any ids page by page, always in the same order': async (open) => {
    const opened = await open();
    const ids = randomIds(40);
    await make(
      opened,
      ids.map((id) => ({ type: 'put', key: ['some', id], value: id })),
    );
    await make(
      opened,
      ids.slice(0, 10).map((id) => ({ type: 'put', key: ['some', id, 'below'], value: id })),
    );
    const all = await idsOf(opened, ['some']);
    assertEqual([...all].sort(), [...ids].sort(), 'the ids');
    for (const limit of [1, 3, 16]) {
      const pages: string[] = [];
      while (pages.length < all.length) {
        const after = pages.at(-1);
        const page = await idsOf(opened, ['some'], after === undefined ? { limit } : { after, limit });
        assert(page.length === Math.min(limit, all.length - pages.length), `a page of ${limit} has ${page.length} ids`);
        pages.push(...page);
      }
      assertEqual(pages, all, `pages of ${limit}`);
    }
    for (const [index, after] of all.entries()) {
      if (index % 3 === 0) await opened.records.remove(['some', after]);
      assertEqual(
        await idsOf(opened, ['some'], { after, limit: 2 }),
        all.slice(index + 1, index + 3),
        `after ${after}`,
      );
    }
  },

  'continues after a page despite changes in between': async (open) => {
    const [opened, other] = [await open(), await open()];
    await make(opened, appends(['log'], range(1, 12)));
    const pages: unknown[] = [];
    for (let after = 0; ;) {
      const page = await listed(opened, ['log'], { after, limit: 4 });
      const last = page.at(-1);
      if (last === undefined) break;
      pages.push(...page.map(({ value }) => value));
      after = keyNumber(last);
      await other.records.remove(logKey(['log'], after)); // the page boundary
      await other.records.remove(logKey(['log'], after + 1));
      if (after < 12) await other.records.append(['log'], after + 100);
    }
    assertEqual(pages, [1, 2, 3, 4, 6, 7, 8, 9, 11, 12, 104, 109], 'the pages');
  },

  'reads and lists no more than a page': async (open) => {
    const opened = await open();
    const { calls } = opened;
    await make(opened, appends(['log'], range(1, 100)));
    const threads = range(100, 139).flatMap((id) => [
      { type: 'put', key: ['threads', `${id}`], value: id } as const,
      ...appends(['threads', `${id}`, 'log'], [id]),
    ]);
    await make(opened, threads);
    const cost = async (work: () => Promise<unknown>) => {
      const before = { ...calls };
      await work();
      const { reads, lists, entries } = calls;
      return { reads: reads - before.reads, lists: lists - before.lists, entries: entries - before.entries };
    };
    const page = await cost(() => valuesOf(opened, ['log'], { after: 40, limit: 10 }));
    assertEqual(page, { reads: 10, lists: 1, entries: 10 }, 'the calls for a page of a log');
    const { reads, lists, entries } = await cost(() => valuesOf(opened, ['threads'], { after: '110', limit: 10 }));
    assert(reads === 10 && lists <= 3 && entries <= 40, `a page of threads: ${reads} ${lists} ${entries}`);
    const last = await cost(() => opened.records.last(['threads', '120', 'log']));
    assertEqual(last, { reads: 0, lists: 1, entries: 1 }, 'the calls for the last number of a short log');
    const first = await cost(() => firstOf(opened.records));
    assert(first.reads <= 64, `${first.reads} records were read for the first one`);
  },
} satisfies Readonly<Record<string, RecordCase>>;

async function firstOf(records: RecordStore): Promise<unknown> {
  for await (const record of records.list(['log'])) return record;
  return undefined;
}

function keyNumber({ key }: { readonly key: readonly string[] }): number {
  return logNumber(key) ?? 0;
}

/** Distinct, deterministic ids: plain ones, escaped ones, and ids too long for one file name. */
function randomIds(count: number): readonly string[] {
  const pick = randomPick(count);
  const alphabet = ['a', 'b', 'B', '-', '_', '.', '/', '7', 'é', '😀', '+', '%'];
  const ids = new Set<string>(['', 'x'.repeat(200), 'x'.repeat(201), `${'x'.repeat(400)}y`, `${'x'.repeat(200)}-`]);
  while (ids.size < count) {
    const characters = Array.from({ length: 1 + pick(6) }, () => alphabet[pick(alphabet.length)]);
    ids.add((pick(3) === 0 ? 'x'.repeat(150 + pick(100)) : '') + characters.join(''));
  }
  return [...ids];
}
