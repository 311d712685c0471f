import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { UtensilError } from '../../base/errors.ts';
import { toJson } from '../../base/json.ts';
import type { Message } from '../../model/message.ts';
import type { ModelRequest } from '../../model/model.ts';
import { recordFile } from '../../files/record-key.ts';
import { createRecords } from '../../records/records.ts';
import { scriptedModel } from '../../testing/index.ts';
import { eventsOf, tool, toolsetOf } from '../../test-kit/runs.ts';
import { openThread } from '../../thread/open-thread.ts';
import { resume, run } from '../lazy-run.ts';
import type { RunOptions } from '../run.ts';

const saves = tool('save', { effects: 'write' });
/** Damages the records of a thread of two runs that contain one of the texts. */
async function damagedThread(...texts: readonly string[]) {
  const storage = memoryStorage();
  const records = createRecords(storage);
  const open = () => openThread(records, 'a');
  const model = scriptedModel([{ calls: [{ name: 'save' }] }, { text: 'Saved.' }, { text: 'Hello.' }]);
  const common = { model, toolset: toolsetOf([saves]), policy: () => 'allow' as const };
  for (const messages of ['Save it.', 'Hi.']) await run({ ...common, messages, thread: open() }).result;
  const damaged = new Set<string>();
  for await (const { key, ...record } of records.list(['threads', 'a', 'messages'])) {
    const found = texts.filter((text) => JSON.stringify(record).includes(text));
    const change = { type: 'write', tree: 'records', path: recordFile(key), content: new Uint8Array(3) } as const;
    if (found.length > 0) await storage.commit({ expect: [], changes: [change], time: 2 });
    for (const text of found) damaged.add(text);
  }
  expect([...damaged].toSorted()).toEqual(texts.toSorted());
  return open;
}

async function requestsOf(options: Partial<RunOptions>) {
  const model = scriptedModel([{ text: 'Done.' }, { text: 'Done.' }]);
  const events = await eventsOf(run({ model, messages: 'Go on.', toolset: toolsetOf([saves]), ...options }));
  const problems = events.flatMap((event) => (event.type === 'error' ? event.error.code : []));
  return { requests: model.requests, problems };
}

const wordsOf = (request: ModelRequest | undefined): readonly string[] => (request?.messages ?? []).map(wordOf);

function wordOf({ parts: [part] }: Message): string {
  if (part?.type !== 'text') return part?.type ?? 'nothing';
  return part.text.startsWith('Part of this conversation is missing here') ? 'GAP' : part.text;
}

const call = ['tool-call', 'tool-result'];
const all = ['Save it.', 'tool-call', 'tool-result', 'Saved.', 'run-ended', 'Hi.', 'Hello.'];

it.each<[string, readonly string[], readonly string[]]>([
  ['at the beginning', ['Save it.'], ['GAP', ...call, 'Saved.', 'Hi.', 'Hello.', 'Go on.']],
  ['for a turn with its call', all.slice(1, 3), ['Save it.', 'GAP', 'Saved.', 'Hi.', 'Hello.', 'Go on.']],
  ['for a turn without its result', ['tool-call'], ['Save it.', 'GAP', 'Saved.', 'Hi.', 'Hello.', 'Go on.']],
  ['for a result, behind it', ['tool-result'], ['Save it.', ...call, 'GAP', 'Saved.', 'Hi.', 'Hello.', 'Go on.']],
  ['at the end', ['Hello.'], ['Save it.', ...call, 'Saved.', 'Hi.', 'GAP', 'Go on.']],
  ['once for records behind each other', all.slice(1, 4), ['Save it.', 'GAP', 'Hi.', 'Hello.', 'Go on.']],
  ['at each place', ['Saved.', 'Hello.'], ['Save it.', ...call, 'GAP', 'Hi.', 'GAP', 'Go on.']],
  ['for all of it', all, ['GAP', 'Go on.']],
  ['nowhere', [], ['Save it.', ...call, 'Saved.', 'Hi.', 'Hello.', 'Go on.']],
])('the model of a damaged thread was not told that something is missing: %s', async (_, texts, words) => {
  const open = await damagedThread(...texts);
  const { requests, problems } = await requestsOf({ thread: open() });
  expect(wordsOf(requests[0])).toEqual(words);
  expect(problems).toEqual(texts.length > 0 ? ['record_corrupt'] : []);
  const next = await requestsOf({ thread: open() });
  expect(wordsOf(next.requests[0])).toEqual([...words, 'Done.', 'Go on.']); // what was sent before stays in the cache
});

it('entries that another record has taken the places of, and a copy, were missed at another place', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  const says = (id: string, role: Message['role']): Message => ({
    ...{ id, role, createdAt: 1, runId: 'r' },
    parts: [{ type: 'text', text: id }],
  });
  const put = (thread: string, number: number, value: object) =>
    records.put(['threads', thread, 'messages', String(number).padStart(12, '0')], toJson(value));
  const copied = [says('u', 'user'), says('t', 'assistant'), says('u', 'user'), says('v', 'user')];
  for (const [index, message] of copied.entries()) await put('copied', index + 1, message);
  await put('merged', 1, says('u', 'user'));
  await put('merged', 2, says('t', 'assistant'));
  await put('merged', 3, { type: 'entries', entries: [says('lost', 'user'), says('v', 'user')] });
  for (const id of ['copied', 'merged']) {
    const { requests, problems } = await requestsOf({ thread: openThread(records, id) });
    expect([id, wordsOf(requests[0])]).toEqual([id, ['u', 't', 'GAP', 'v', 'Go on.']]);
    expect(problems).toEqual(['record_corrupt']);
  }
});

it('a run that was interrupted, and whose turn is lost, goes on with the question and the gap', async () => {
  const open = await damagedThread(...all.slice(1));
  const model = scriptedModel([{ text: 'Done.' }]);
  await resume({ model, toolset: toolsetOf([saves]), thread: open() }).result;
  expect(wordsOf(model.requests[0])).toEqual(['Save it.', 'GAP']);
});

it('a model that is asked in place of another one is told, too, and the app once', async () => {
  const open = await damagedThread('Saved.');
  const busy = {
    info: { api: 'text', id: 'busy' },
    stream: () => {
      throw new UtensilError('model_overloaded', 'Busy.');
    },
  };
  const model = scriptedModel([{ text: 'Done.' }]);
  const given = { thread: open(), model: busy, fallback: [model], limits: { retries: 0 } };
  const { problems } = await requestsOf(given);
  expect(wordsOf(model.requests[0])).toContain('GAP');
  expect(problems.filter((code) => code === 'record_corrupt')).toHaveLength(1);
});
