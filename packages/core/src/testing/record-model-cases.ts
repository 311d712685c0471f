import type { RecordChange, RecordExpectation } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import { logKey } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import { assert, assertEqual } from './assert.ts';
import { randomPick } from './files-model.ts';
import type { Pick } from './files-model.ts';
import { listed } from './record-kit.ts';
import type { OpenRecords, RecordCase } from './record-kit.ts';

/** Expected records by the JSON of their keys, and last numbers of logs. */
interface Model {
  readonly records: Map<string, StoredRecord>;
  readonly lasts: Map<string, number>;
}

const keys: readonly RecordKey[] = [['a'], ['b'], ['t', 'a'], ['t', 'A'], ['t', 'x'.repeat(210)]];
const logs: readonly RecordKey[] = [['log'], ['t', 'a', 'log']];
const prefixes: readonly RecordKey[] = [[], ['t'], ...logs];

/** Random work on a store and on a plain map. */
export const recordModelCases = {
  'agrees with a plain map on random commits': async (open) => {
    for (const seed of [1, 2]) {
      const pick = randomPick(seed);
      const model: Model = { records: new Map(), lasts: new Map() };
      const both = [await open(`seed ${seed}`), await open(`seed ${seed}`)];
      for (let step = 1; step <= 40; step++) {
        const opened = both[pick(2)] as OpenRecords;
        await commitBoth(opened, model, randomCommit(model, pick));
        if (step % 8 === 0) await assertHolds(await open(`seed ${seed}`), model);
      }
    }
  },
} satisfies Readonly<Record<string, RecordCase>>;

interface RandomCommit {
  readonly changes: readonly RecordChange[];
  readonly expect: readonly RecordExpectation[];
}

/** A commit whose expectations mostly hold. */
function randomCommit({ records, lasts }: Model, pick: Pick): RandomCommit {
  const one = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item;
  const changed = keys.filter(() => pick(3) === 0);
  const expected = [...keys, ...logs.map((log) => logKey(log, lasts.get(nameOf(log)) ?? 1))].filter(
    () => pick(3) === 0,
  );
  const etags = ['never given', ...[...records.values()].map(({ etag }) => etag)];
  const changes = changed.map((key): RecordChange => {
    return pick(3) === 0 ? { type: 'remove', key } : { type: 'put', key, value: pick(1000) };
  });
  for (let count = pick(4); count > 0; count--) changes.push({ type: 'append', log: one(logs), value: pick(1000) });
  const expect = expected.map((key) => {
    const etag = records.get(nameOf(key))?.etag ?? null;
    return { key, etag: pick(8) === 0 ? one([null, ...etags]) : etag };
  });
  return { changes, expect };
}

async function commitBoth({ records: store }: OpenRecords, model: Model, commit: RandomCommit): Promise<void> {
  const { changes, expect } = commit;
  const { records, lasts } = model;
  const failed = expect.find(({ key, etag }) => (records.get(nameOf(key))?.etag ?? null) !== etag);
  const result = await store.commit(changes, { expect });
  if (!result.ok) {
    const { conflict, record } = result;
    const present = failed && records.get(nameOf(failed.key));
    assertEqual([conflict, record], [failed?.key, present], `what was in the way of ${JSON.stringify(commit)}`);
    return;
  }
  assert(failed === undefined, `${JSON.stringify(commit)} went through, but ${failed?.key.join('/')} is another one`);
  const written = changes.flatMap((change): readonly (readonly [RecordKey, unknown])[] => {
    if (change.type === 'put') return [[change.key, change.value]];
    if (change.type === 'remove') return [];
    const number = (lasts.get(nameOf(change.log)) ?? 0) + 1;
    lasts.set(nameOf(change.log), number);
    return [[logKey(change.log, number), change.value]];
  });
  assertEqual(
    result.records.map(({ key, value }) => [key, value]),
    written,
    `what ${JSON.stringify(commit)} wrote`,
  );
  for (const change of changes) if (change.type === 'remove') records.delete(nameOf(change.key));
  for (const record of result.records) records.set(nameOf(record.key), record);
}

async function assertHolds(opened: OpenRecords, { records }: Model): Promise<void> {
  for (const prefix of prefixes) {
    const expected = [...records.values()].filter(({ key }) => nameOf(key.slice(0, -1)) === nameOf(prefix));
    const found = new Map((await listed(opened, prefix)).map((record) => [nameOf(record.key), record]));
    for (const record of expected) {
      assertEqual(found.get(nameOf(record.key)), record, `the record ${record.key.join('/')} as listed`);
      assertEqual(await opened.records.get(record.key), record, `the record ${record.key.join('/')}`);
    }
    assertEqual(found.size, expected.length, `the number of records below '${prefix.join('/')}'`);
  }
}

function nameOf(key: RecordKey): string {
  return JSON.stringify(key);
}
