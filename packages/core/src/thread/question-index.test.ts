import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { memoryStorage } from '@utensil/storage-memory';
import { createRecords } from '../records/records.ts';
import type { Message } from '../model/message.ts';
import type { Json } from '../base/json.ts';
import { play, testSeals, tool, toolsetOf } from '../test-kit/runs.ts';
import { scriptedModel } from '../testing/scripted-model.ts';
import { resume } from '../run/lazy-run.ts';
import { answerQuestion } from './answer-question.ts';
import type { ThreadEntry } from './entry.ts';
import { openQuestions } from './open-questions.ts';
import { openThread } from './open-thread.ts';
import { listQuestions } from './list-questions.ts';
import { deleteThread, listThreads } from './summary.ts';

const save = tool('save', { effects: 'write' });
const parks = { policy: () => 'ask' as const, seals: testSeals, questions: { parkAfterMs: 0 } };

/** A thread that waits for an approval. */
async function park(records: ReturnType<typeof createRecords>, id: string) {
  const thread = openThread(records, id);
  await play([{ calls: [{ name: 'save' }] }], [save], { ...parks, thread }).result;
  return thread;
}

it('tells what waits in all threads, oldest first, until it is answered', async () => {
  const records = createRecords(memoryStorage());
  const first = await park(records, 'first');
  await park(records, 'second');
  await play([{ text: 'Hello.' }], [], { thread: openThread(records, 'third') }).result;
  const waiting = await listQuestions(records);
  expect(waiting.map(({ threadId, kind, name }) => [threadId, kind, name])).toEqual([
    ['first', 'approval', 'save'],
    ['second', 'approval', 'save'],
  ]);
  expect(waiting[0]).not.toHaveProperty('input');
  await answerQuestion(first, { questionId: waiting[0]?.id ?? '', answer: 'once', seals: testSeals });
  expect((await listQuestions(records)).map(({ threadId }) => threadId)).toEqual(['second']);
  await deleteThread(records, 'second');
  expect(await listQuestions(records)).toEqual([]);
});

it('tells nothing of a run that goes on, of questions whose time is over, and of threads that were removed', async () => {
  const records = createRecords(memoryStorage());
  const thread = await park(records, 'first');
  const [question] = await listQuestions(records);
  const record = await records.get(['questions', 'first']);
  await answerQuestion(thread, { questionId: question?.id ?? '', answer: 'once', seals: testSeals });
  const { result } = resume({
    model: scriptedModel([{ text: 'Done.' }]),
    toolset: toolsetOf([save]),
    ...parks,
    thread,
  });
  expect((await result).status).toBe('complete');
  await records.put(['questions', 'gone'], record?.value as Json);
  await records.put(['questions', 'first'], [{ ...question, expiresAt: 1 }, { id: 'odd' }, 7]);
  expect(await listQuestions(records)).toEqual([]);
});

it('tells what waits in a thread that had no list, once somebody appends to it', async () => {
  const records = createRecords(memoryStorage());
  await park(records, 'first');
  await records.remove(['questions', 'first']);
  const thread = openThread(records, 'first');
  await thread.append([{ type: 'run-ended', runId: 'r', time: 1 }]);
  expect(await listQuestions(records)).toHaveLength(1);
});

it('lists the oldest of very many, and stores no more of them', async () => {
  const records = createRecords(memoryStorage());
  const calls = Array.from({ length: 30 }, () => ({ name: 'save' }));
  await play([{ calls }], [save], { ...parks, thread: openThread(records, 'many') }).result;
  expect(await openQuestions(openThread(records, 'many'))).toHaveLength(30);
  expect(await listQuestions(records)).toHaveLength(20);
});

it('a removal that was truncated took what waits from the list, and left the thread', async () => {
  const storage = memoryStorage();
  let left = 1;
  const commit: typeof storage.commit = (...given) =>
    left-- > 0 ? storage.commit(...given) : Promise.reject(new Error('The program has ended.'));
  const records = createRecords(storage);
  await park(records, 't');
  await deleteThread(createRecords({ ...storage, commit }), 't').catch(() => undefined);
  const found = [await listThreads(records), await listQuestions(records)];
  expect(found.map(({ length }) => length)).toEqual([0, 0]);
});

it('asked for each thread that waits only after the one before', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  for (let count = 0; count < 20; count++) await park(records, `t${count}`);
  let [open, most] = [0, 0];
  const read: typeof storage.read = async (key) => {
    if (!key.path.startsWith('/threads/')) return storage.read(key);
    most = Math.max(most, ++open);
    await new Promise(setImmediate);
    open--;
    return storage.read(key);
  };
  expect(await listQuestions(createRecords({ ...storage, read }))).toHaveLength(20);
  expect(most).toBeGreaterThan(10);
});

it('reads no more than the threads that wait', async () => {
  const reads: string[] = [];
  const storage = memoryStorage();
  const records = createRecords(storage);
  for (const id of ['a', 'b']) await park(records, id);
  for (let index = 0; index < 60; index++)
    await openThread(records, `calm-${index}`).append([{ type: 'message', message: says('user', `u${index}`) }]);
  const counted = createRecords({
    ...storage,
    read: (key) => (reads.push(key.path), storage.read(key)),
    stat: (keys) => (reads.push(...keys.map(({ path }) => path)), storage.stat(keys)),
  });
  expect(await listQuestions(counted)).toHaveLength(2);
  expect(reads.filter((path) => path.includes('calm'))).toEqual([]);
});

const says = (role: Message['role'], id: string, ...parts: Message['parts']): Message => ({
  id,
  role,
  parts: parts.length > 0 ? parts : [{ type: 'text', text: id }],
  createdAt: 1,
});

const callIds = ['a', 'b', 'a›1', 'b›1'];
const entries = fc.oneof<fc.Arbitrary<ThreadEntry>[]>(
  fc
    .record({ callId: fc.constantFrom(...callIds), path: fc.constantFrom(undefined, ['a'], ['b']) })
    .map(({ callId, path }, index = Math.random()): ThreadEntry => ({
      type: 'question',
      id: `${callId} ${String(path)} ${index}`,
      kind: 'approval',
      callId,
      ...(path && { path }),
      ...(callId.includes('›') && { parentCallId: callId.slice(0, 1) }),
      name: 'save',
      input: {},
      title: 'Save',
      effects: 'write',
      runId: 'r',
      projectId: 'p',
      time: 1,
    })),
  fc.nat({ max: 9 }).map((nth): ThreadEntry => ({ type: 'answer', questionId: `${nth}`, answer: 'deny', time: 1 })),
  fc
    .record({ callId: fc.constantFrom('a', 'b'), replay: fc.constantFrom('logged' as const, undefined) })
    .map(({ callId, replay }): ThreadEntry => {
      return { type: 'call-begun', callId, runId: 'r', time: 1, ...(replay && { replay }) };
    }),
  fc.constantFrom('a', 'b').map((callId): ThreadEntry => {
    const result = { callId, name: 'save', output: 1, modelParts: [], isError: false } as const;
    return { type: 'message', message: says('tool', '', { type: 'tool-result', ...result }) };
  }),
  fc.constant<ThreadEntry>({ type: 'message', message: says('user', '') }),
  fc.constant<ThreadEntry>({ type: 'message', message: turn('') }),
);

function turn(id: string): Message {
  const calls = ['a', 'b'].map(
    (callId) => ({ type: 'tool-call', callId, name: 'save', input: {}, executedBy: 'us' }) as const,
  );
  return says('assistant', id, ...calls);
}

it('agrees with the pending questions of each thread, after appends by any program', async () => {
  const property = fc.asyncProperty(fc.array(entries, { maxLength: 14 }), async (made) => {
    const records = createRecords(memoryStorage());
    const asked: string[] = [];
    const writers = [openThread(records, 't'), openThread(records, 't')] as const;
    await writers[0].append([{ type: 'message', message: says('user', 'u') }]);
    await writers[0].append([{ type: 'message', message: turn('turn') }]);
    for (const [index, entry] of made.entries()) {
      const given = named(entry, index, asked);
      const writer = index % 3 === 2 ? openThread(records, 't') : writers[index % 2 === 0 ? 0 : 1];
      await writer.append([given]);
      const listed = (await listQuestions(records)).map(({ id }) => id);
      const open = (await openQuestions(writers[0])).map(({ id }) => id);
      expect(listed.toSorted()).toEqual(open.toSorted());
    }
  });
  await expect(fc.assert(property, { numRuns: 200 })).resolves.toBeUndefined();
});

/** An entry with an id of its own; an answer is to one of the questions before it. */
function named(entry: ThreadEntry, index: number, asked: string[]): ThreadEntry {
  if (entry.type === 'message') return { ...entry, message: { ...entry.message, id: `m${index}` } };
  if (entry.type === 'answer')
    return { ...entry, questionId: asked[Number(entry.questionId) % asked.length] ?? 'none' };
  if (entry.type !== 'question') return entry;
  asked.push(`q${index}`);
  return { ...entry, id: `q${index}` };
}

/** Makes the list of a thread's questions unreadable. */
async function damage(storage: ReturnType<typeof memoryStorage>, path: string): Promise<void> {
  const [found] = await storage.stat([{ tree: 'records', path }]);
  const write = { type: 'write', tree: 'records', path, content: new TextEncoder().encode('{"half') } as const;
  const expect = [{ tree: 'records', path, etag: found?.etag ?? null }] as const;
  if (!(await storage.commit({ expect, changes: [write], time: 2 })).ok) throw new Error('not damaged');
}

it('what waits in a thread whose list is damaged was hidden, and each answer to it refused', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  await park(records, 'first');
  await damage(storage, '/questions/first.json');
  const [question] = await listQuestions(records);
  expect(question).toMatchObject({ threadId: 'first', name: 'save' });
  const answer = { questionId: question?.id ?? '', answer: 'once', seals: testSeals } as const;
  await expect(answerQuestion(openThread(records, 'first'), answer)).resolves.toBeUndefined();
  expect(await listQuestions(records)).toEqual([]);
  await park(records, 'second');
  await records.put(['questions', 'second'], { newer: 'form' });
  expect((await listQuestions(records)).map(({ threadId }) => threadId)).toEqual(['second']);
});

it('reads no more than three records of each thread that waits, among 500', async () => {
  let reads = 0;
  const storage = memoryStorage();
  const records = createRecords(storage);
  for (let index = 0; index < 497; index++)
    await openThread(records, `calm-${index}`).append([{ type: 'message', message: says('user', `u${index}`) }]);
  for (const id of ['a', 'b', 'c']) await park(records, id);
  const counted = createRecords({ ...storage, read: (key) => (reads++, storage.read(key)) });
  expect(await listQuestions(counted)).toHaveLength(3);
  expect(reads).toBeLessThanOrEqual(9);
});
