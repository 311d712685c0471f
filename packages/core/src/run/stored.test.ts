// Threads as they are stored, left in every way: what one version has stored, all later ones go on with. If what is stored
// changes, the scenes get a folder of their own, and those that are there stay as they are.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memoryStorage } from '@utensil/storage-memory';
import type { Environment } from '../base/environment.ts';
import type { Json } from '../base/json.ts';
import type { RecordKey } from '../files/record-key.ts';
import { createRecords } from '../records/records.ts';
import type { RecordStore } from '../records/records.ts';
import { openThread } from '../thread/open-thread.ts';
import { platformClock } from '../thread/clock.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { parkedScenes, sceneOptions, stageOver } from '../test-kit/parked-scenes.ts';
import type { ParkedScene } from '../test-kit/parked-scenes.ts';
import type { RunEvent } from '../tool/run-event.ts';
import { resume } from './start.ts';

type StoredRecord = readonly [key: string, value: Json];

const thread: RecordKey = ['threads', 'parked'];
const monday = Date.UTC(2026, 10, 23);
const hour = 3_600_000;

/** What is stored now. Threads of earlier versions are in folders of their own. */
const current = 'questions';
const stored = new URL('../test-kit/stored/', import.meta.url);

function counting(time: number): Environment {
  let count = 0;
  return { now: () => time, id: () => `id-${++count}` };
}

async function dump(records: RecordStore): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for (const prefix of [['threads'], thread, [...thread, 'messages'], [...thread, 'calls']])
    for await (const record of records.list(prefix))
      if ('value' in record && !['owner', 'lease'].includes(record.key.at(-1) ?? ''))
        found.push([record.key.join('/'), record.value]);
  return found;
}

async function left({ leave }: ParkedScene): Promise<readonly StoredRecord[]> {
  const records = createRecords(memoryStorage());
  const clock = { ...platformClock, now: () => monday };
  const holder = { id: () => 'h', isAlive: () => false };
  const open = () => openThread(records, 'parked', { clock, holder });
  const saved = { texts: [], isStuck: true };
  await leave(stageOver(open, saved, counting(monday)));
  return dump(records);
}

async function goOn(records: readonly StoredRecord[]): Promise<ParkedScene['comesTo']> {
  const store = createRecords(memoryStorage());
  const changes = records.map(([key, value]) => ({ type: 'put', key: key.split('/'), value }) as const);
  await store.commit(changes, {});
  const saved = { texts: [], isStuck: false };
  const resumed = resume({
    ...sceneOptions(saved, { ...counting(monday + hour), id: () => crypto.randomUUID() }),
    model: scriptedModel([{ text: 'Done.' }]),
    thread: openThread(store, 'parked'),
  });
  const asked: string[] = [];
  for await (const told of resumed.events()) {
    const event = innermost(told);
    const [, kind] = /^(approval|input|recovery)-request$/.exec(event.type) ?? [];
    if (kind !== undefined) asked.push(kind);
    const isInside = 'parentCallId' in event || told.type === 'sub-run';
    if (kind !== undefined && isInside) resumed.stop(); // a call under way does not park
  }
  return [asked, saved.texts, (await resumed.result).status];
}

const innermost = (event: RunEvent): RunEvent => (event.type === 'sub-run' ? innermost(event.event) : event);

describe.each(Object.entries(parkedScenes))('%s', (name, scene) => {
  it('is stored as before', async () => {
    const text = JSON.stringify(await left(scene), null, 1);
    await expect(`${text}\n`).toMatchFileSnapshot(`../test-kit/stored/${current}/${name}.json`);
  });

  it.each(readdirSync(stored).filter((folder) => readdirSync(new URL(folder, stored)).includes(`${name}.json`)))(
    'is gone on with, as stored in %s',
    async (folder) => {
      const text = readFileSync(new URL(`${folder}/${name}.json`, stored), 'utf8');
      expect(await goOn(JSON.parse(text) as StoredRecord[])).toEqual(scene.comesTo);
    },
  );
});
