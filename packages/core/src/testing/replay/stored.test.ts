// Threads as they are stored, left in every way: each is replayed without a difference.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { memoryStorage } from '@utensil/storage-memory';
import type { Json } from '../../base/json.ts';
import { createRecords } from '../../records/records.ts';
import { sceneOptions } from '../../test-kit/parked-scenes.ts';
import { openThread } from '../../thread/open-thread.ts';
import type { Thread } from '../../thread/thread.ts';
import { replayThread } from './replay-thread.ts';

const stored = new URL('../../test-kit/stored/', import.meta.url);
const scenes = readdirSync(stored).flatMap((folder) =>
  readdirSync(new URL(folder, stored)).map((file) => [folder, file.replace('.json', '')] as const),
);

async function threadIn(folder: string, name: string): Promise<Thread> {
  const text = readFileSync(new URL(`${folder}/${name}.json`, stored), 'utf8');
  const records = createRecords(memoryStorage());
  const values = JSON.parse(text) as (readonly [key: string, value: Json])[];
  await records.commit(
    values.map(([key, value]) => ({ type: 'put', key: key.split('/'), value }) as const),
    {},
  );
  return openThread(records, 'parked');
}

it.each(scenes)('replays %s/%s', async (folder, name) => {
  const saved = { texts: [], isStuck: false };
  const { toolset } = sceneOptions(saved, { now: Date.now, id: () => 'x' });
  const { divergence } = await replayThread(await threadIn(folder, name), { toolset });
  expect(divergence?.message).toBeUndefined();
  expect(saved.texts).toEqual([]);
});
