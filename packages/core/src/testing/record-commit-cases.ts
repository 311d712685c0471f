import type { RecordChange } from '../records/commit.ts';
import { logKey } from '../files/record-key.ts';
import { assert, assertEqual } from './assert.ts';
import { appends, damage, damaged, idsOf, listed, make, valuesOf } from './record-kit.ts';
import type { RecordCase } from './record-kit.ts';
import { throws, within } from './storage-kit.ts';

/** Guarantees of a store about commits. */
export const recordCommitCases = {
  'puts, appends and removes in one commit': async (open) => {
    const opened = await open();
    const { records } = opened;
    await records.put(['old'], 1);
    await records.put(['tree', 'a', 'b'], 'deep');
    await records.append(['log'], 'first');
    const written = await make(opened, [
      { type: 'put', key: ['a'], value: { new: true } },
      ...appends(['log'], ['second', 'third']),
      { type: 'append', log: ['threads', 't', 'log'], value: null },
      { type: 'remove', key: ['old'] },
      { type: 'remove', key: ['tree'], recursive: true },
      { type: 'remove', key: ['missing'] },
    ]);
    const keys = [['a'], logKey(['log'], 2), logKey(['log'], 3), logKey(['threads', 't', 'log'], 1)];
    assertEqual(await Promise.all(keys.map((key) => records.get(key))), written, 'the records that were written');
    assertEqual(
      written.map(({ key, value }) => [key, value]),
      keys.map((key, index) => [key, [{ new: true }, 'second', 'third', null][index]]),
      'keys and values of the records',
    );
    assertEqual(await records.get(['old']), undefined, 'a removed record');
    assertEqual(await records.get(['tree', 'a', 'b']), undefined, 'a record below a removed one');
  },

  'commits all or nothing': async (open) => {
    const opened = await open();
    const { records } = opened;
    const { etag } = await records.put(['kept'], 1);
    await records.put(['corrupt'], 1);
    await damage(opened, ['corrupt']);
    const changes: readonly RecordChange[] = [
      { type: 'put', key: ['new', 'a'], value: 1 },
      { type: 'remove', key: ['kept'] },
      ...appends(['log'], [1, 2]),
    ];
    const expect = [
      { key: ['kept'], etag },
      { key: ['missing'], etag },
    ];
    assert(!(await records.commit(changes, { expect })).ok, 'a commit went through whose last expectation fails');
    const overwrite = { type: 'put', key: ['corrupt'], value: 2 } as const;
    await throws('record_corrupt', 'a commit over a corrupt record', () => records.commit([...changes, overwrite]));
    assertEqual((await records.get(['kept']))?.value, 1, 'a record that would have been removed');
    assertEqual(await records.get(['new', 'a']), undefined, 'a record that would have been put');
    assertEqual(await listed(opened, ['log']), [], 'the log');
    const found = await opened.driver.read({ tree: 'records', path: '/corrupt.json' });
    assertEqual(new TextDecoder().decode(found?.content), damaged, 'what cannot be read');
  },

  'reports the first failed expectation, and the actual record': async (open) => {
    const opened = await open();
    const { records } = opened;
    const first = await records.put(['a'], 1);
    const [now, other] = [await records.put(['a'], 'two'), await records.put(['b'], 'b')];
    const stale = { key: ['a'], etag: first.etag };
    const [taken, missing] = [
      { key: ['b'], etag: null },
      { key: ['c', 'd'], etag: other.etag },
    ];
    const put = [{ type: 'put', key: ['e'], value: 1 }] as const;
    for (const [expect, conflict, record] of [
      [[stale], ['a'], now],
      [[taken], ['b'], other],
      [[missing], ['c', 'd'], undefined],
      [[now, other, missing, stale], ['c', 'd'], undefined],
      [[{ key: ['e'], etag: null }, taken, stale], ['b'], other],
    ] as const) {
      const result = await records.commit(put, { expect });
      assertEqual(result, { ok: false, conflict, ...(record && { record }) }, `result of ${JSON.stringify(expect)}`);
    }
    assertEqual(await records.get(['e']), undefined, 'a record whose expectations never held');
    await throws('ECONFLICT', 'a put over another version', () => records.put(['a'], 3, { ifMatch: first.etag }));
    await make(opened, put, { expect: [now, other] });
  },

  'expects records that it leaves alone': async (open) => {
    const opened = await open();
    const [a, b] = [await opened.records.put(['a'], 1), await opened.records.put(['b'], 1)];
    await make(opened, [], { expect: [a, b] });
    await make(opened, appends(['log'], [1]), { expect: [a, b, { key: ['c'], etag: null }] });
    await opened.records.put(['b'], 2);
    for (const changes of [[], appends(['log'], [2])]) {
      const { ok } = await opened.records.commit(changes, { expect: [a, b] });
      assert(!ok, `a commit of ${changes.length} changes went through after a record that it expects had changed`);
    }
    assertEqual(await valuesOf(opened, ['log']), [1], 'the log');
  },

  'checks expectations against the state before the first change': async (open) => {
    const opened = await open();
    const { records } = opened;
    const a = await records.put(['a'], 1);
    const b = { type: 'put', key: ['b'], value: 1 } as const;
    await make(opened, [{ type: 'remove', key: ['a'] }, b], { expect: [a, { key: ['b'], etag: null }] });
    assertEqual([await records.get(['a']), (await records.get(['b']))?.value], [null, 1], 'what is left of both');
    const expect = [{ key: logKey(['log'], 1), etag: null }];
    const [first] = await make(opened, appends(['log'], ['one']), { expect });
    const again = await records.commit(appends(['log'], ['two']), { expect });
    assertEqual(
      again,
      { ok: false, conflict: logKey(['log'], 1), record: first },
      'a number that was expected to be free',
    );
  },

  'gives another etag to another value': async (open) => {
    const opened = await open();
    const values = Array.from({ length: 12 }, (_, fence) => ({ state: 'AB'[fence % 2] ?? '', fence: 10 + fence }));
    const etags = new Set<string>();
    for (const value of values) {
      const [record] = await make(opened, [{ type: 'put', key: ['owner'], value }]);
      assertEqual((await opened.records.get(['owner']))?.etag, record?.etag, 'the etag that a commit gave');
      for (const etag of etags) {
        const { ok } = await opened.records.commit([], { expect: [{ key: ['owner'], etag }] });
        assert(!ok, 'an old etag is taken for that of another value');
      }
      etags.add(record?.etag ?? '');
    }
    assertEqual(etags.size, values.length, 'different etags of different values');
  },

  'refuses changes that concern the same record': async (open) => {
    const { records } = await open();
    const put = (...key: readonly string[]): RecordChange => ({ type: 'put', key, value: 1 });
    const append = (...log: readonly string[]): RecordChange => ({ type: 'append', log, value: 1 });
    const remove = (...key: readonly string[]): RecordChange => ({ type: 'remove', key, recursive: true });
    for (const changes of [
      [put('a'), put('a')],
      [put('a'), remove('a')],
      [put('a', 'b'), remove('a')],
      [append('a', 'log'), remove('a')],
      [append('a'), remove('a')],
      [append('log'), put(...logKey(['log'], 7))],
    ]) {
      await throws('EINVAL', JSON.stringify(changes), () => records.commit(changes));
    }
    await throws('EINVAL', 'a put without an id', () => records.commit([put()]));
    assertEqual(await records.get(['a']), undefined, 'a record of a refused commit');
    assertEqual(await records.last(['log']), 0, 'the last number of a log in a refused commit');
  },

  'never takes a corrupt record for an absent one': async (open) => {
    const opened = await open();
    const { records, driver } = opened;
    await records.put(['settings', 'b'], { fine: true });
    const { etag } = await records.put(['settings', 'a'], {});
    await damage(opened, ['settings', 'a']);
    const key = ['settings', 'a'];
    const put = { type: 'put', key, value: {} } as const;
    const append = appends(['log'], [1]);
    await throws('record_corrupt', 'get', () => records.get(key));
    await throws('record_corrupt', 'put', () => records.put(key, {}));
    await throws('record_corrupt', 'a put that expects no record', () => records.put(key, {}, { ifMatch: null }));
    await throws('record_corrupt', 'a commit', () => records.commit([...append, put]));
    for (const expected of [etag, null]) {
      const expect = [{ key, etag: expected }];
      await throws('record_corrupt', 'a commit over it', () => records.commit([...append, put], { expect }));
      await throws('record_corrupt', 'a commit that expects it', () => records.commit(append, { expect }));
    }
    const found: unknown[] = [];
    for await (const each of records.list(['settings'])) found.push('problem' in each ? each.problem.code : each.value);
    assertEqual(found, ['record_corrupt', { fine: true }], 'the records as listed');
    const name = await records.setAside(key);
    assertEqual(await records.get(key), undefined, 'the record once it was set aside');
    await records.put(key, { version: 2 });
    const kept = await driver.read({ tree: 'records', path: `/${name}` });
    assertEqual(new TextDecoder().decode(kept?.content), damaged, 'what was set aside');
    await make(opened, [{ type: 'remove', key }]);
    assertEqual(await idsOf(opened, ['settings']), ['b'], 'what is left');
  },

  'notifies watchers of the changes of a commit': async (open) => {
    const opened = await open();
    const told = (key: readonly string[]): Promise<void> =>
      new Promise((resolve) => {
        const end = opened.records.watch(key, () => resolve(end()));
      });
    const all = Promise.all([told(['a']), told(['log']), told(['threads'])]);
    await make(opened, [
      { type: 'put', key: ['a'], value: 1 },
      { type: 'put', key: ['threads', 't', 'x'], value: 1 },
      ...appends(['log'], [1]),
    ]);
    await within('notification of the changes of a commit', all);
  },

  'has every commit when it is opened again': async (open) => {
    const first = await open();
    const put = { type: 'put', key: ['a'], value: 1 } as const;
    const [record] = await make(first, [put, ...appends(['log'], ['x', 'y'])], { durable: true });
    await make(first, appends(['log'], ['z']));
    await first.driver.close();
    const again = await open();
    assertEqual(await again.records.get(['a']), record, 'a record');
    assertEqual(await valuesOf(again, ['log']), ['x', 'y', 'z'], 'a log');
    assertEqual(await again.records.append(['log'], 'next'), 4, 'the next number');
  },
} satisfies Readonly<Record<string, RecordCase>>;
