import { createRecords, UtensilError } from '@utensil/core';
import type { RecordStore } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { openFileEdits } from './file-edits.ts';

const flush = (): boolean => dispatchEvent(new Event('pagehide'));
const draftOf = (text: string): { readonly text: string; readonly etag: string } => ({ text, etag: '1' });

async function storedPaths(records: RecordStore): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { key } of records.list(['file-edits'])) paths.push(key.at(-1) ?? '');
  return paths;
}

it('stores the edits of the other files if one cannot be stored, and says so', async () => {
  const records = createRecords(memoryStorage());
  const put: RecordStore['put'] = async (key, ...given) => {
    if (key.includes('/full.md')) throw new UtensilError('ENOSPC', 'The disk is full.');
    return records.put(key, ...given);
  };
  const edits = openFileEdits({ ...records, put }, async () => true);
  edits.change('/full.md', draftOf('much'));
  edits.change('/a.md', draftOf('one'));
  edits.change('/b.md', draftOf('two'));
  flush();
  await expect.poll(() => storedPaths(records)).toEqual(['/a.md', '/b.md']);
  await expect.poll(() => edits.state().problem).toContain('Storage is full.');
  expect(edits.state().drafts.get('/full.md')?.text).toBe('much');
});

it('stores nothing for a project that was removed in another tab, or here before the edit was stored', async () => {
  const records = createRecords(memoryStorage());
  let isThere = true;
  const edits = openFileEdits(records, async () => isThere);
  edits.change('/a.md', draftOf('one'));
  await edits.forget();
  flush();
  expect(edits.state().drafts.size).toBe(0);
  isThere = false;
  edits.change('/b.md', draftOf('two'));
  flush();
  await expect.poll(() => edits.state().problem).toContain('This project was removed.');
  expect(await storedPaths(records)).toEqual([]);
});
