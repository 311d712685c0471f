import { memoryStorage } from '@utensil/storage-memory';
import { expect, it, vi } from 'vitest';
import { UtensilError } from '../../base/errors.ts';
import type { StorageDriver } from '../../files/storage/driver.ts';
import { createRecords } from '../../records/records.ts';
import { gate, play, testSeals, tool, until } from '../../test-kit/runs.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import type { AnswerEntry, StoredEntry } from '../../thread/entry.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { openThread } from '../../thread/open-thread.ts';
import { createAnswerLog } from './answer-log.ts';
import { permissions } from '../permission/policy.ts';

const policy = permissions('write');
const seals = testSeals;
const save = tool('save', { effects: 'write' });

it('a turn with many questions had the thread read once for each of them, with each that was asked or answered', async () => {
  const count = 60;
  const storage = memoryStorage();
  let reads = 0;
  const counting: StorageDriver = { ...storage, read: (key) => (reads++, storage.read(key)) };
  const calls = Array.from({ length: count }, (_, index) => ({ name: 'save', callId: `c${index}` }));
  const thread = openThread(createRecords(counting), 't');
  const played = play([{ calls }, { text: 'Done.' }], [save], { thread, policy, seals });
  let asked = 0;
  for await (const event of played.events()) if (event.type === 'approval-request' && ++asked === count) break;
  for (const { id } of await openQuestions(openThread(createRecords(storage), 't'))) played.answer(id, 'deny');
  expect((await played.result).status).toBe('complete');
  expect(reads).toBeLessThan(10 * count);
});

it('a run that waited for an answer ended with the first read of its thread that failed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const storage = memoryStorage();
    const failed = gate();
    let fails = false;
    const list: StorageDriver['list'] = (...given) => {
      if (!fails) return storage.list(...given);
      failed.open();
      throw new UtensilError('EIO', 'EIO: the network is gone for a moment');
    };
    const elsewhere = openThread(createRecords(storage), 't');
    const thread = openThread(createRecords({ ...storage, list }), 't');
    const waiting = play([{ calls: [{ name: 'save' }] }, { text: 'Done.' }], [save], { thread, policy, seals });
    const { questionId } = await until(waiting, 'approval-request');
    await new Promise(setImmediate);
    fails = true;
    await answerQuestion(elsewhere, { questionId, answer: 'once', seals });
    await failed;
    fails = false;
    await vi.advanceTimersByTimeAsync(10_000); // it looks again by itself
    expect((await waiting.result).status).toBe('complete');
  } finally {
    vi.useRealTimers();
  }
});

it('reports each answer once, in order, to every follower of its question, earlier answers too', async () => {
  const entries: StoredEntry[] = [];
  let changed = (): void => undefined;
  let watchers = 0;
  const log = createAnswerLog({
    after: async (position) => entries.filter((each) => each.position > position),
    watch(listener) {
      watchers++;
      changed = listener;
      return () => void watchers--;
    },
  });
  const answer = (questionId: string, by: string): void => {
    const entry: AnswerEntry = { type: 'answer', questionId, answer: 'once', by, time: 1 };
    entries.push({ position: entries.length + 1, entry });
    changed();
  };
  const told: string[] = [];
  const follow = (id: string, after: number) => log.follow(id, after, ({ by = '' }) => told.push(by));
  answer('b', '1');
  const leaveA = follow('a', 1);
  answer('a', '2');
  answer('b', '3');
  const leaveB = follow('b', 0);
  answer('a', '4');
  expect((await log.before('b', 3)).map(({ by }) => by)).toEqual(['1']);
  expect(told).toEqual(['1', '2', '3', '4']);
  leaveA();
  answer('a', '5');
  answer('b', '6');
  expect((await log.before('b', 9)).map(({ by }) => by)).toEqual(['1', '3', '6']);
  leaveB();
  expect([told, watchers]).toEqual([['1', '2', '3', '4', '6'], 0]);
});
