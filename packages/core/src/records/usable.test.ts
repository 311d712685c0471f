import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { createRecords } from './records.ts';
import { readableRecord, usableRecord } from './usable.ts';

const key = ['draft'];
const damaged = new TextEncoder().encode('{"half');

/** A damaged record that another program writes again once its damage was seen. */
async function writtenAgain(content?: Uint8Array) {
  const storage = memoryStorage();
  const write = { type: 'write', tree: 'records', path: '/draft.json', content: damaged } as const;
  await storage.commit({ expect: [], changes: [write], time: 1 });
  const records = createRecords(storage);
  const setAside: typeof records.setAside = async (...given) => {
    if (content === undefined)
      await storage.commit({
        expect: [],
        changes: [{ ...write, content: new TextEncoder().encode('"new"') }],
        time: 2,
      });
    return records.setAside(...given);
  };
  return { records: { ...records, setAside }, storage };
}

it.each([
  ['needs', usableRecord],
  ['reads', readableRecord],
])(
  'a record that was written between the reading of a damaged one and its removal was moved away by a program that %s it',
  async (_, read) => {
    const { records } = await writtenAgain();
    expect(await read(records, key)).toMatchObject({ value: 'new' });
    expect((await records.get(key))?.value).toBe('new');
  },
);

it('a damaged record is set aside', async () => {
  const { records, storage } = await writtenAgain(damaged);
  expect(await usableRecord(records, key)).toBeUndefined();
  expect(await records.get(key)).toBeUndefined();
  const [entry] = await storage.list({ tree: 'records', path: '/', depth: 1, limit: 9 });
  expect(entry?.path).toContain('/draft.corrupt-');
});
