// Stored threads, left in every way: every version must be able to resume the threads of all earlier ones. If the
// stored form changes, the scenes get a new folder, and existing ones stay unchanged.
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
import { testSeals, tool, toolsetOf } from '../test-kit/runs.ts';
import { answerQuestion } from '../thread/answer-question.ts';
import { openQuestions } from '../thread/open-questions.ts';
import type { RunEvent } from '../tool/run-event.ts';
import type { Tool } from '../tool/tool.ts';
import { resume } from './lazy-run.ts';

type StoredRecord = readonly [key: string, value: Json];

const thread: RecordKey = ['threads', 'parked'];
const monday = Date.UTC(2026, 10, 23);
const hour = 3_600_000;

/** Scenes in the current stored form. Threads of earlier versions are in folders of their own. */
const current = 'beginnings';
const stored = new URL('../test-kit/stored/', import.meta.url);

function counting(time: number): Environment {
  let count = 0;
  return { now: () => time, id: () => `id-${++count}` };
}

async function dump(records: RecordStore): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  const inside: RecordKey[] = [];
  for await (const { key } of records.list([...thread, 'runs'])) inside.push(key);
  const threads = [thread, ...inside].flatMap((each) => [each, [...each, 'messages'], [...each, 'calls']]);
  for (const prefix of [['threads'], [...thread, 'runs'], ...threads])
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

async function goOn(records: readonly StoredRecord[], isHeld = false): Promise<ParkedScene['comesTo']> {
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
    if (kind !== undefined && isHeld) resumed.stop();
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
    'is resumed, as stored in %s',
    async (folder) => {
      const text = readFileSync(new URL(`${folder}/${name}.json`, stored), 'utf8');
      expect(await goOn(JSON.parse(text) as StoredRecord[], scene.isHeld)).toEqual(scene.comesTo);
    },
  );
});

describe('a deployment', () => {
  const save = (texts: string[], more: Partial<Tool> = {}): Tool =>
    tool('save', {
      effects: 'write',
      execute: (input) => (texts.push((input as { readonly text: string }).text), 'saved'),
      ...more,
    });
  /** Changes of the tool in the next version, and their effect on an answer to the former version. */
  const deployed: readonly (readonly [tools: (texts: string[]) => readonly Tool[], stillCounts: boolean])[] = [
    [(texts) => [save(texts)], true],
    [(texts) => [save(texts, { name: 'store', formerNames: ['save'] })], false],
    [(texts) => [save(texts, { description: 'Saves it elsewhere.' })], false],
    [() => [], false],
  ];

  async function upgrade(folder: string, index: number): Promise<readonly string[]> {
    const [toolsOf, stillCounts] = deployed[index % deployed.length] as (typeof deployed)[number];
    const text = readFileSync(new URL(`${folder}/approval-given.json`, stored), 'utf8');
    const store = createRecords(memoryStorage());
    const changes = (JSON.parse(text) as StoredRecord[]).map(
      ([key, value]) => ({ type: 'put', key: key.split('/'), value }) as const,
    );
    await store.commit(changes, {});
    const texts: string[] = [];
    const tools = toolsOf(texts);
    const environment = { ...counting(monday + hour), id: () => crypto.randomUUID() };
    const open = () => openThread(store, 'parked');
    const goesOn = () =>
      resume({
        ...sceneOptions({ texts: [], isStuck: false }, environment),
        policy: () => 'ask',
        toolset: toolsetOf([...tools]),
        model: scriptedModel([{ text: 'Done.' }]),
        thread: open(),
      }).result;
    const first = await goesOn();
    const isAsked = !stillCounts && tools.length > 0;
    expect([first.status, texts]).toEqual(isAsked ? ['needs-approval', []] : ['complete', stillCounts ? ['a'] : []]);
    if (!isAsked) return texts;
    const [question] = await openQuestions(open(), environment.now());
    expect(question?.name).toBe(tools[0]?.name);
    await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', seals: testSeals }, environment.now);
    expect((await goesOn()).status).toBe('complete');
    return texts;
  }

  it.each(['calls', 'questions'])(
    'continues with 50 approvals that were given before it, as stored in %s',
    async (folder) => {
      const all = await Promise.all(Array.from({ length: 50 }, (_, index) => upgrade(folder, index)));
      expect(all.map(({ length }) => length)).toEqual(all.map((_, index) => (index % 4 === 3 ? 0 : 1)));
    },
  );
});
