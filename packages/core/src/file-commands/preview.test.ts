import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { createFiles } from '../files/create-files.ts';
import { previewChanges } from './preview.ts';

async function directory(count: number, text: string) {
  const files = createFiles(memoryStorage());
  await files.batch(async (staged) => {
    for (let number = 0; number < count; number++)
      await staged.write(`/d/${String(number).padStart(3, '0')}.txt`, text);
  });
  return files;
}

it('the preview of a deletion had 50 whole files in it, and said nothing of the others', async () => {
  const files = await directory(60, 'a line\n'.repeat(10_000));
  const preview = await previewChanges(
    files,
    ['/d'],
    async (staged) => (await staged.remove('/d', { recursive: true }), true),
  );
  expect(JSON.stringify(preview).length).toBeLessThan(20_000);
  expect(preview?.changes).toHaveLength(51);
  expect(preview?.changes[0]?.before).toBe(`${'a line\n'.repeat(12)}… (9,989 more lines)`);
  expect(preview?.changes.at(-1)).toEqual({ path: '/d (and 10 more)', before: '(not shown)' });
});

it('the preview of a move contained all moved files, twice', async () => {
  const files = await directory(40, 'word '.repeat(10_000));
  const preview = await previewChanges(files, ['/d', '/e'], async (staged) => (await staged.move('/d', '/e'), true));
  const { changes = [] } = preview ?? {};
  expect(changes).toHaveLength(80);
  const length = JSON.stringify(preview).length;
  expect([length > 200_000, length < 400_000]).toEqual([true, true]); // too much to be taken as seen, and no more
});

it('shows whole what is written', async () => {
  const files = await directory(1, 'old');
  const text = 'a line\n'.repeat(100);
  const preview = await previewChanges(files, ['/d'], async (staged) => {
    await staged.write('/d/new.txt', text);
    return true;
  });
  expect(preview?.changes).toEqual([{ path: '/d/new.txt', after: text }]);
});
