import { logKey, logNumber } from '../files/record-key.ts';
import { assert, assertEqual } from './assert.ts';
import { appends, idsOf, make, range, valuesOf } from './record-kit.ts';
import type { OpenRecords, RecordCase } from './record-kit.ts';
import { pause } from './storage-kit.ts';

const owner = ['thread', 'owner'];
const head = ['thread', 'head'];
const log = ['thread', 'log'];

/** Guarantees of a store for independent writers. */
export const recordClaimCases = {
  'lets one of many claims win': async (open) => {
    const all = await Promise.all(range(1, 4).map(() => open()));
    const expect = [await all[0]?.records.put(owner, { fence: 0, holder: 0 })].filter((each) => each !== undefined);
    const claims = all.map(({ records }, holder) =>
      records.commit([{ type: 'put', key: owner, value: { fence: 1, holder } }, ...appends(log, [holder])], { expect }),
    );
    const results = await Promise.all(claims);
    const winners = results.flatMap(({ ok }, holder) => (ok ? [holder] : []));
    const [first] = all;
    assertEqual(winners.length, 1, 'claims that won');
    if (first !== undefined) assertEqual(await valuesOf(first, log), winners, 'the log');
    for (const result of results) {
      if (result.ok) continue;
      assertEqual(result.conflict, owner, 'where the others lost');
      assertEqual(result.record?.value, { fence: 1, holder: winners[0] }, 'what they found there');
    }
  },

  'stops an owner that was replaced': async (open) => {
    const [old, next] = [await open(), await open()];
    const mine = await old.records.put(owner, { fence: 1 });
    await make(old, appends(log, ['old']), { expect: [mine] });
    const [theirs] = await make(next, [{ type: 'put', key: owner, value: { fence: 2 } }], { expect: [mine] });
    const late = await old.records.commit(appends(log, ['late', 'later']), { expect: [mine] });
    assertEqual(late, { ok: false, conflict: owner, record: theirs }, 'an append of the old owner');
    await make(next, appends(log, ['new']), { expect: theirs === undefined ? [] : [theirs] });
    assertEqual(await valuesOf(next, log), ['old', 'new'], 'the log');
  },

  'renews a lease without failing the appends of its owner': async (open) => {
    const opened = await open();
    const mine = await opened.records.put(owner, { fence: 1 });
    const renewing = range(1, 10).map((beat) => opened.records.put(['thread', 'lease'], { beat }));
    const appending = range(1, 10).map((value) => make(opened, appends(log, [value]), { expect: [mine] }));
    await Promise.all([...renewing, ...appending]);
    assertEqual(await valuesOf(opened, log), range(1, 10), 'the log');
  },

  'counts each of many conflicting commits once': async (open) => {
    const both = [await open(), await open()];
    const [one] = both;
    await one?.records.put(head, { last: 0 });
    const count = async ({ records }: OpenRecords): Promise<void> => {
      for (let done = 0; done < 8;) {
        const before = await records.get(head);
        assert(before !== undefined, 'the counter is gone');
        const next = (before.value as { readonly last: number }).last + 1;
        const changes = [
          { type: 'put', key: head, value: { last: next } },
          { type: 'put', key: logKey(log, next), value: next },
        ] as const;
        const { ok } = await records.commit(changes, { expect: [before] });
        if (ok) done++;
      }
    };
    await Promise.all(both.map(count));
    for (const opened of both) {
      assertEqual((await opened.records.get(head))?.value, { last: 16 }, 'the counter');
      assertEqual(await valuesOf(opened, log), range(1, 16), 'the log');
    }
  },

  'lands commits that append to the same logs at once': async (open) => {
    const both = [await open(), await open()];
    const commits = range(0, 11).map((index) =>
      (both[index % 2] as OpenRecords).records.commit([
        ...appends(['pairs'], [index, index]),
        ...appends(['deep', 'singles'], [index]),
        { type: 'put', key: ['own', `${index}`], value: index },
      ]),
    );
    for (const [index, result] of (await Promise.all(commits)).entries()) {
      assert(result.ok, `commit ${index}, which expects nothing, met a conflict`);
      const [first, second] = result.records.map(({ key }) => logNumber(key) ?? 0);
      assertEqual(second, (first ?? 0) + 1, 'the numbers of a pair');
    }
    const fresh = await open();
    assertEqual((await idsOf(fresh, ['pairs'])).map(Number), range(1, 24), 'the numbers of the one log');
    assertEqual((await idsOf(fresh, ['deep', 'singles'])).map(Number), range(1, 12), 'the numbers of the other log');
    const values = await valuesOf(fresh, ['pairs']);
    const odd = values.filter((_, index) => index % 2 === 0);
    assertEqual(
      odd,
      values.filter((_, index) => index % 2 === 1),
      'the two records of each commit side by side',
    );
    assertEqual([...odd].map(Number).sort(byNumber), range(0, 11), 'the commits in the log');
  },

  'appends after the last record that it expects': async (open) => {
    const [one, two] = [await open(), await open()];
    const [first] = await make(one, appends(log, [1]));
    const [second] = await make(two, appends(log, [2]), { expect: first === undefined ? [] : [first] });
    const [third] = await make(one, appends(log, [3]), { expect: second === undefined ? [] : [second] });
    assertEqual(
      [first, second, third].map((record) => record && logNumber(record.key)),
      [1, 2, 3],
      'the numbers',
    );
    assertEqual(await valuesOf(two, log), [1, 2, 3], 'the log');
  },

  'shows a commit as a whole': async (open) => {
    const [writer, reader] = [await open(), await open()];
    const write = (value: number) =>
      make(writer, [
        { type: 'put', key: ['left'], value },
        { type: 'put', key: ['right'], value },
      ]);
    await write(0);
    const valueOf = async (id: string): Promise<number> => Number((await reader.records.get([id]))?.value);
    const torn: (readonly [string, number, number])[] = [];
    const look = async (earlier: string, later: string): Promise<void> => {
      const [before, after] = [await valueOf(earlier), await valueOf(later)];
      if (after < before) torn.push([later, before, after]);
    };
    for (const value of range(1, 12)) {
      const looking = range(0, 5).map((delay) =>
        pause(delay / 2).then(() => (delay % 2 === 0 ? look('left', 'right') : look('right', 'left'))),
      );
      await Promise.all([write(value), ...looking]);
    }
    assertEqual(torn, [], 'records that were seen to be older than one of the same commit');
  },
} satisfies Readonly<Record<string, RecordCase>>;

function byNumber(left: number, right: number): number {
  return left - right;
}
