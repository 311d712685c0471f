import fc from 'fast-check';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import { createRecords } from '../records/records.ts';
import { answerQuestion } from './answer-question.ts';
import { deleteThread, listThreads } from './summary.ts';
import { messagesOf } from './messages.ts';
import { openQuestions } from './open-questions.ts';
import { openThread } from './open-thread.ts';
import { listQuestions } from './list-questions.ts';

const message = (id: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: id }], createdAt: 1 });

it('begins once what kept it from beginning is over', async () => {
  const records = createRecords(memoryStorage());
  let isFull = true;
  const commit: typeof records.commit = (...changes) =>
    isFull ? Promise.reject(new UtensilError('ENOSPC', 'The disk is full.')) : records.commit(...changes);
  const thread = openThread({ ...records, commit }, 'a');
  await expect(thread.append([{ type: 'message', message: message('1') }])).rejects.toMatchObject({ code: 'ENOSPC' });
  isFull = false;
  await thread.append([{ type: 'message', message: message('1') }]);
  expect(await messagesOf(thread)).toEqual([message('1')]);
});

it('goes on where its summary cannot be read, and puts that aside', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  await openThread(records, 'a').append([{ type: 'message', message: message('1') }]);
  const path = '/threads/a.json';
  const [entry] = await storage.stat([{ tree: 'records', path }]);
  await storage.commit({
    expect: [{ tree: 'records', path, etag: entry?.etag ?? null }],
    changes: [{ type: 'write', tree: 'records', path, content: new TextEncoder().encode('{') }],
    time: 2,
  });
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  await thread.append([{ type: 'message', message: message('2') }]);
  expect(problems).toEqual(['record_corrupt']);
  expect(await messagesOf(thread)).toEqual([message('1'), message('2')]);
  expect(await listThreads(records)).toMatchObject([{ id: 'a', title: '1' }]);
});

it('keeps outcomes of calls next to its messages, and is removed with its own records and no others', async () => {
  const records = createRecords(memoryStorage());
  const [thread, other] = [openThread(records, 'a'), openThread(records, 'ab')];
  for (const each of [thread, other]) {
    await each.append([{ type: 'message', message: message('1') }]);
    await each.append([{ type: 'call-begun', callId: 'c', runId: 'r', time: 1 }]);
  }
  expect((await thread.read()).entries.map(({ entry }) => entry.type)).toEqual(['message', 'call-begun']);
  await deleteThread(records, 'a');
  const again = openThread(records, 'a');
  expect((await again.read()).entries).toEqual([]);
  expect((await listThreads(records)).map(({ id }) => id)).toEqual(['ab']);
  expect(await messagesOf(other)).toEqual([message('1')]);
});

it('leaves out what is not an entry, or one of a newer version, says so, and keeps it', async () => {
  const records = createRecords(memoryStorage());
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  await records.append(['threads', 'a', 'messages'], { type: 'something newer' });
  await thread.append([{ type: 'call-approved', callId: 'c', runId: 'r', time: 1 }]);
  expect((await thread.read()).entries).toMatchObject([{ position: 2, entry: { type: 'call-approved' } }]);
  expect(new Set(problems)).toEqual(new Set(['record_corrupt']));
  expect((await records.get(['threads', 'a', 'messages', '000000000001']))?.value).toEqual({ type: 'something newer' });
});

it('threads of version 0.1 are read unchanged, and can be continued', async () => {
  const records = createRecords(memoryStorage());
  const [log, calls] = [
    ['threads', 'a', 'messages'],
    ['threads', 'a', 'calls'],
  ];
  await records.put(['threads', 'a'], { id: 'a', title: 'Old', createdAt: 1 });
  const half = { ...message('2'), role: 'assistant', incomplete: true } as const;
  for (const each of [message('1'), half, { ...message('2'), role: 'assistant' } as const])
    await records.append(log, toJson(each));
  await records.append(calls, { type: 'call-begun', callId: 'c', runId: 'r', time: 1 });
  await records.append(calls, { type: 'compacted', before: '2', runId: 'r', time: 1 });
  const thread = openThread(records, 'a');
  expect((await messagesOf(thread)).map(({ id, incomplete }) => [id, incomplete])).toEqual([
    ['1', undefined],
    ['2', undefined],
  ]);
  expect((await thread.read()).entries.map(({ entry, position }) => [position, entry.type])).toEqual([
    [0, 'call-begun'],
    [0, 'compacted'],
    [1, 'message'],
    [2, 'message'],
    [3, 'message'],
  ]);
  expect(await thread.append([{ type: 'message', message: message('3') }])).toBe(4);
  expect(await listThreads(records)).toEqual([{ id: 'a', title: 'Old', createdAt: 1 }]);
});

/** Overwrites a record with something that is not a record. */
async function damage(storage: ReturnType<typeof memoryStorage>, path: string, text = '{'): Promise<void> {
  const content = new TextEncoder().encode(text);
  await storage.commit({ expect: [], changes: [{ type: 'write', tree: 'records', path, content }], time: 2 });
}

const question = {
  type: 'question',
  id: 'q',
  kind: 'approval',
  callId: 'c',
  name: 'save',
  input: {},
  title: 'Save',
  effects: 'write',
  runId: 'r',
  projectId: 'default',
  time: 1,
} as const;
const asks: Message = {
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: 'c', name: 'save', input: {}, executedBy: 'us' }],
  createdAt: 1,
};

it.each<[string, Json]>([
  ['a question with a path that is none', { ...question, path: 5 }],
  ['a question with a path of something else', { ...question, path: [5] }],
  ['a question that one name may answer', { ...question, answerers: 'annabel' }],
  ['a question that expires some day', { ...question, expiresAt: 'some day' }],
  ['a call that began, and is none', { type: 'call-begun', callId: 'x', runId: 'r', time: 1, call: 5 }],
  [
    'a result of nothing',
    { type: 'inner-result', parentCallId: 'c', inputHash: '', result: { callId: 'c›1', name: 'x' } },
  ],
  ['an answer of a number', { type: 'answer', questionId: 'q', answer: 'once', by: 5, time: 1 }],
  ['an answer with two sides', { type: 'answer', questionId: 'q', answer: { input: {}, output: 1 }, time: 1 }],
])('%s, as another program may write it, made a thread unreadable or was taken at its word', async (_, entry) => {
  const records = createRecords(memoryStorage());
  for (const each of [message('1'), asks]) await openThread(records, 'a').append([{ type: 'message', message: each }]);
  await openThread(records, 'a').append([question]);
  await records.append(['threads', 'a', 'messages'], entry);
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  expect((await thread.read()).entries).toHaveLength(3);
  expect(await openQuestions(thread)).toHaveLength(1);
  expect(new Set(problems)).toEqual(new Set(['record_corrupt']));
  expect(await thread.append([{ type: 'message', message: message('2') }])).toBe(5);
});

it('a thread could not be read if its draft is damaged and nothing can be written', async () => {
  const storage = memoryStorage();
  const thread = openThread(createRecords(storage), 'a');
  await thread.append([
    { type: 'message', message: message('1') },
    { type: 'draft', message: message('2') },
  ]);
  await damage(storage, '/threads/a/draft.json');
  const commit = (): never => {
    throw new UtensilError('EROFS', 'EROFS: read-only file system');
  };
  const problems: string[] = [];
  const warn = ({ code }: UtensilError): number => problems.push(code);
  expect(await messagesOf(openThread(createRecords({ ...storage, commit }), 'a', { warn }))).toEqual([message('1')]);
  expect(problems).toEqual(['record_corrupt']);
  await thread.append([{ type: 'draft', message: message('2') }]);
  expect(await messagesOf(thread)).toHaveLength(2);
});

it('a run whose thread has a damaged summary ended as if somebody had deleted it', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  const thread = openThread(records, 'a');
  await thread.append([{ type: 'message', message: message('1') }]);
  await damage(storage, '/threads/a.json');
  await thread.append([{ type: 'message', message: message('2') }]);
  expect(await messagesOf(openThread(records, 'a'))).toHaveLength(2);
  expect(await listThreads(records)).toMatchObject([{ id: 'a' }]);
});

it('an unreadable list of questions kept its thread from asking', async () => {
  const storage = memoryStorage();
  const records = createRecords(storage);
  const thread = openThread(records, 'a');
  for (const each of [message('1'), asks]) await thread.append([{ type: 'message', message: each }]);
  await records.put(['questions', 'a'], []);
  await damage(storage, '/questions/a.json');
  expect(await listQuestions(records)).toEqual([]);
  await thread.append([question]);
  expect(await listQuestions(records)).toMatchObject([{ id: 'q', threadId: 'a' }]);
});

it('drafts replace each other, and stay where they are once another message follows', async () => {
  const records = createRecords(memoryStorage());
  const draft = (text: string): Message => ({ ...message('d'), parts: [{ type: 'text', text }], incomplete: true });
  const thread = openThread(records, 'a');
  for (const each of [message('1'), draft('So'), draft('So far'), message('2'), draft('So far, so good')])
    await thread.append([{ type: each.incomplete ? 'draft' : 'message', message: each }]);
  const expected = [message('1'), draft('So far, so good'), message('2')];
  expect(await messagesOf(thread)).toEqual(expected);
  expect(await messagesOf(openThread(records, 'a'))).toEqual(expected);
  expect(await records.last(['threads', 'a', 'messages'])).toBe(4);
});

it('the program that resumes a thread keeps the draft of another', async () => {
  const records = createRecords(memoryStorage());
  const [one, other] = [openThread(records, 'a'), openThread(records, 'a')];
  await one.append([{ type: 'draft', message: { ...message('1'), incomplete: true } }]);
  await other.append([{ type: 'message', message: message('2') }]);
  await one.append([{ type: 'message', message: message('3') }]);
  await Promise.all([
    one.append([{ type: 'message', message: message('4') }]),
    other.append([{ type: 'message', message: message('5') }]),
  ]);
  const ids = (await messagesOf(one)).map(({ id }) => id);
  expect([ids.slice(0, 3), ids.slice(3).sort()]).toEqual([
    ['1', '2', '3'],
    ['4', '5'],
  ]);
});

it('a thread that was deleted takes nothing, and one of its name can be begun again', async () => {
  const records = createRecords(memoryStorage());
  const thread = openThread(records, 'a');
  await thread.append([{ type: 'message', message: message('1') }]);
  await records.put(['threads', 'a'], { id: 'a', title: 'Renamed', createdAt: 1 });
  await thread.append([{ type: 'message', message: message('2') }]);
  await deleteThread(records, 'a');
  const entry = { type: 'call-begun', callId: '1', runId: 'r', time: 1 } as const;
  for (const each of [{ type: 'message', message: message('3') } as const, entry])
    await expect(thread.append([each])).rejects.toMatchObject({ code: 'thread_deleted' });
  expect(await listThreads(records)).toEqual([]);
  await openThread(records, 'a').append([{ type: 'message', message: message('4') }]);
  expect(await messagesOf(thread)).toEqual([message('4')]);
});

it('an answer to a question of a thread that was deleted and begun again was tried for ever', async () => {
  const records = createRecords(memoryStorage());
  const thread = openThread(records, 'a');
  await thread.append(['1', '2', '3', '4'].map((id) => ({ type: 'message', message: message(id) }) as const));
  await deleteThread(records, 'a');
  const call = { type: 'tool-call', callId: 'c', name: 'save', input: {}, executedBy: 'us' } as const;
  const anew: Message = { id: '5', role: 'assistant', parts: [call], createdAt: 2 };
  const asked = { callId: 'c', runId: 'r', projectId: 'p', name: 'save', input: {}, title: 'Save', time: 2 };
  const question = { type: 'question', id: 'q', kind: 'approval', effects: 'write', ...asked } as const;
  await openThread(records, 'a').append([{ type: 'message', message: anew }, question]);
  let reads = 0;
  const read: typeof thread.read = (options) =>
    ++reads > 10 ? Promise.reject(new Error('It reads again and again.')) : thread.read(options);
  const answering = answerQuestion({ ...thread, read }, { questionId: 'q', answer: 'deny' });
  await expect(answering).rejects.toMatchObject({ code: 'thread_deleted' });
});

it('a read between the commit of an append and its end made the next one leave a hole', async () => {
  const records = createRecords(memoryStorage());
  const commit: typeof records.commit = async (...given) => {
    const result = await records.commit(...given);
    await thread.read(); // like a page that is told about the change
    return result;
  };
  const thread = openThread({ ...records, commit }, 'a');
  const entry = { type: 'message', message: message('1') } as const;
  expect(await thread.append([entry])).toBe(1);
  expect(await thread.append([{ ...entry, message: message('2') }], { ifLast: 1 })).toBe(2);
  expect((await openThread(records, 'a').read()).entries.map(({ position }) => position)).toEqual([1, 2]);
});

const entriesOf = (ids: readonly string[]) => ids.map((id) => ({ type: 'message', message: message(id) }) as const);

it('stores entries that come together in records of several, and reads them from any position on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 6 }), async (sizes) => {
      const records = createRecords(memoryStorage());
      const thread = openThread(records, 'a');
      const all: string[] = [];
      for (const size of sizes) {
        const ids = Array.from({ length: size }, (_, index) => `${all.length + index}`);
        all.push(...ids);
        expect(await thread.append(entriesOf(ids))).toBe(all.length);
      }
      const log = ['threads', 'a', 'messages'];
      let count = 0;
      for await (const _ of records.list(log)) count++;
      expect(count).toBe(sizes.reduce((sum, size) => sum + Math.ceil(size / 4), 0));
      expect(await records.last(log)).toBe(all.length);
      const expected = all.map((id, index) => [index + 1, id]);
      for (let after = 0; after <= all.length; after++)
        for (const limit of [1, 3, Infinity]) {
          const warn = ({ message }: UtensilError): never => expect.unreachable(message);
          const page = await openThread(records, 'a', { warn }).read({ after, limit });
          const found = page.entries.map(({ position, entry }) => [
            position,
            entry.type === 'message' ? entry.message.id : '',
          ]);
          expect(found).toEqual(expected.slice(after, after + limit));
          expect([page.last, page.lost]).toEqual([after + found.length, undefined]);
        }
    }),
    { numRuns: 30 },
  );
});

it('two writers that store several entries at once, in any order of their accesses, lose none and give no position twice', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.tuple(sizes, sizes), async (scheduler, plans) => {
      const storage = memoryStorage();
      const slow = {
        ...storage,
        commit: scheduler.scheduleFunction(storage.commit.bind(storage)),
        list: scheduler.scheduleFunction(storage.list.bind(storage)),
        stat: scheduler.scheduleFunction(storage.stat.bind(storage)),
      };
      const writers = plans.map(async (plan, writer) => {
        const thread = openThread(createRecords(slow), 'a');
        for (const [turn, size] of plan.entries())
          await thread.append(entriesOf(Array.from({ length: size }, (_, index) => `${writer}-${turn}-${index}`)));
      });
      await scheduler.waitFor(Promise.all(writers));
      const { entries } = await openThread(createRecords(storage), 'a').read();
      expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1));
      const ids = entries.map(({ entry }) => (entry.type === 'message' ? entry.message.id : ''));
      const expected = plans.flatMap((plan, writer) =>
        plan.flatMap((size, turn) => Array.from({ length: size }, (_, index) => `${writer}-${turn}-${index}`)),
      );
      expect(ids.toSorted()).toEqual(expected.toSorted());
      for (const writer of [0, 1]) {
        const own = ids.filter((id) => id.startsWith(`${writer}-`));
        expect(own).toEqual(own.toSorted()); // each in its own order
      }
    }),
    { numRuns: 100 },
  );
});

it('leaves out what it does not know in a record of several, and keeps the places of the others', async () => {
  const records = createRecords(memoryStorage());
  const entries = [toJson(message('1')), { type: 'something newer' }, toJson(message('2'))];
  await records.put(['threads', 'a', 'messages', '000000000003'], { type: 'entries', entries });
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  const { entries: read, lost } = await thread.read();
  expect([read.map(({ position }) => position), lost]).toEqual([[1, 3], [2]]);
  expect(problems).toEqual(['record_corrupt']);
  expect(await thread.append(entriesOf(['3']))).toBe(4);
});

it('entries whose places another record has were left out of a thread without a gap', async () => {
  const records = createRecords(memoryStorage());
  await records.put(['threads', 'a', 'messages', '000000000001'], toJson(message('1')));
  await records.put(['threads', 'a', 'messages', '000000000002'], toJson(message('2')));
  const entries = [toJson(message('lost')), toJson(message('3'))];
  await records.put(['threads', 'a', 'messages', '000000000003'], { type: 'entries', entries });
  const shown = async (after: number, limit?: number) => {
    const page = await openThread(records, 'a').read({ after, ...(limit && { limit }) });
    return [page.entries.map(({ position }) => position), page.lost];
  };
  expect(await shown(0)).toEqual([[1, 2, 3], [3]]);
  expect(await shown(1)).toEqual([[2, 3], [3]]);
  expect(await shown(0, 2)).toEqual([[1, 2], undefined]);
});

it('an entry that is nested deeper than the stack made its thread unreadable', async () => {
  const storage = memoryStorage();
  const thread = openThread(createRecords(storage), 'a');
  for (const id of ['1', '2', '3']) await thread.append(entriesOf([id]));
  const deep = 100_000;
  const nested = '{"type":"tool-result","callId":"c","name":"n","output":0,"isError":false,"modelParts":[';
  const text = `{"id":"2","role":"tool","createdAt":0,"parts":[${nested.repeat(deep)}${']}'.repeat(deep)}]}`;
  await damage(storage, '/threads/a/messages/000000000002.json', text);
  const { entries, lost } = await openThread(createRecords(storage), 'a').read();
  expect([entries.map(({ position }) => position), lost]).toEqual([[1, 3], [2]]);
});

it('copies that other programs make of records ended a page early', async () => {
  for (const name of ['000000000002-laptop', '000000000002_conflict', '000000000002copy']) {
    const storage = memoryStorage();
    const thread = openThread(createRecords(storage), 'a');
    for (const id of ['1', '2', '3', '4']) await thread.append(entriesOf([id]));
    const path = `/threads/a/messages/${name}.json`;
    const change = { type: 'write', tree: 'records', path, content: new TextEncoder().encode('{}') } as const;
    await storage.commit({ expect: [], changes: [change], time: 1 });
    const found: number[] = [];
    for (let page = await thread.read({ limit: 2 }); ; page = await thread.read({ after: page.last, limit: 2 })) {
      found.push(...page.entries.map(({ position }) => position));
      expect(page.lost).toBe(undefined);
      if (!page.more) break;
    }
    expect([name, found]).toEqual([name, [1, 2, 3, 4]]);
  }
});

it('a damaged entry took the others of its record with it', async () => {
  const storage = memoryStorage();
  await openThread(createRecords(storage), 'a').append(entriesOf(['1']));
  await openThread(createRecords(storage), 'a').append(entriesOf(['2', '3', '4']));
  await openThread(createRecords(storage), 'a').append(entriesOf(['5']));
  const file = '/threads/a/messages/000000000004.json';
  const whole = new TextDecoder().decode((await storage.read({ tree: 'records', path: file }))?.content);
  const shownAfter = async (content: string, after = 0) => {
    await damage(storage, file, content);
    const problems: string[] = [];
    const thread = openThread(createRecords(storage), 'a', { warn: ({ code }) => problems.push(code) });
    const { lost, entries, last } = await thread.read({ after });
    expect(problems).toEqual(['record_corrupt']);
    expect(last).toBe(5);
    return { lost, positions: entries.map(({ position }) => position) };
  };
  const damagedIn = (id: string): string => whole.replace(`"id":"${id}"`, `"id":"${id}`);
  expect(await shownAfter(damagedIn('3'))).toEqual({ lost: [3], positions: [1, 2, 4, 5] });
  expect(await shownAfter(damagedIn('3'), 2)).toEqual({ lost: [3], positions: [4, 5] });
  expect(await shownAfter(damagedIn('3'), 3)).toEqual({ lost: undefined, positions: [4, 5] });
  expect(await shownAfter(whole.replace('"type"', 'type'))).toEqual({ lost: [2], positions: [1, 5] });
  const behind = (id: string): number => whole.indexOf('\n', whole.indexOf(`"id":"${id}"`)) + 1;
  expect(await shownAfter(whole.slice(0, behind('3')))).toEqual({ lost: [4], positions: [1, 2, 3, 5] });
  expect(await shownAfter(whole.slice(0, behind('2') + 5))).toEqual({ lost: [3], positions: [1, 2, 5] });
  expect(await shownAfter('')).toEqual({ lost: [2], positions: [1, 5] });
  expect(await shownAfter('', 2)).toEqual({ lost: [3], positions: [5] });
  const thread = openThread(createRecords(storage), 'a');
  expect(await thread.append(entriesOf(['6']))).toBe(6);
});

it('a page of a damaged log has what the whole log has there', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
  const damages = fc.array(fc.record({ record: fc.nat(), line: fc.nat(), isGone: fc.boolean() }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(sizes, damages, async (sizes, damaged) => {
      const storage = memoryStorage();
      const records = createRecords(storage);
      let last = 0;
      const ends: number[] = [];
      for (const size of sizes) {
        const ids = Array.from({ length: size }, (_, index) => `${last + index + 1}`);
        ends.push((last = await openThread(records, 'a').append(entriesOf(ids))));
      }
      for (const { record, line, isGone } of damaged) {
        const path = `/threads/a/messages/${String(ends[record % ends.length]).padStart(12, '0')}.json`;
        const file = await storage.read({ tree: 'records', path }).catch(() => undefined);
        if (file === undefined) continue;
        const lines = new TextDecoder().decode(file.content).split('\n');
        if (!isGone) await damage(storage, path, lines.with(line % lines.length, '{').join('\n'));
        else await storage.commit({ expect: [], changes: [{ type: 'remove', tree: 'records', path }], time: 2 });
      }
      const idsIn = async (after: number, limit: number) => {
        const page = await openThread(records, 'a').read({ after, limit });
        return { ...page, positions: page.entries.map(({ position }) => position) };
      };
      const whole = await idsIn(0, Infinity);
      for (let after = 0; after <= last; after++)
        for (const limit of [1, 2, 3, Infinity]) {
          const page = await idsIn(after, limit);
          expect(page.entries).toEqual(
            whole.entries.filter(({ position }) => position > after && position <= page.last),
          );
          const shown = Array.from({ length: page.last - after }, (_, index) => after + index + 1);
          expect(page.lost !== undefined).toBe(shown.some((position) => !page.positions.includes(position)));
        }
    }),
    { numRuns: 100 },
  );
});

it('a record that another program removed was not missed', async () => {
  const storage = memoryStorage();
  const thread = openThread(createRecords(storage), 'a');
  for (const ids of [['1'], ['2', '3'], ['4']]) await thread.append(entriesOf(ids));
  const path = '/threads/a/messages/000000000003.json';
  await storage.commit({ expect: [], changes: [{ type: 'remove', tree: 'records', path }], time: 2 });
  const problems: string[] = [];
  const { entries, lost } = await openThread(createRecords(storage), 'a', {
    warn: ({ message }) => problems.push(message),
  }).read();
  expect([entries.map(({ position }) => position), lost]).toEqual([[1, 4], [2]]);
  expect(problems).toEqual([
    "record_corrupt: the record 'threads/a/messages/000000000004' follows a gap: entries before it are missing. It was left unchanged.",
  ]);
  expect(await openThread(createRecords(storage), 'a').append(entriesOf(['5']))).toBe(5);
});

it('a record that was written while the log was listed is not taken for lost', async () => {
  const records = createRecords(memoryStorage());
  for (const id of ['1', '2', '3']) await openThread(records, 'a').append(entriesOf([id]));
  let listings = 0;
  async function* list(...given: Parameters<typeof records.list>) {
    const isFirst = listings++ === 0;
    for await (const record of records.list(...given))
      if (!isFirst || record.key.at(-1) !== '000000000002') yield record;
  }
  const warn = ({ message }: UtensilError): never => expect.unreachable(message);
  const { entries, lost } = await openThread({ ...records, list: (...given) => list(...given) }, 'a', { warn }).read();
  expect([entries.map(({ position }) => position), lost]).toEqual([[1, 2, 3], undefined]);
});

it('a message is read as itself, whatever other members it has', async () => {
  const records = createRecords(memoryStorage());
  const forged = { ...message('2'), type: 'entries', entries: [{ type: 'call-approved', callId: 'c', runId: 'r' }] };
  const thread = openThread(records, 'a');
  for (const each of [message('1'), forged, { ...forged, id: '3', entries: [] }])
    await thread.append([{ type: 'message', message: each }]);
  const { entries } = await openThread(records, 'a').read();
  expect(entries.map(({ position, entry }) => [position, entry.type])).toEqual([
    [1, 'message'],
    [2, 'message'],
    [3, 'message'],
  ]);
  expect(await openThread(records, 'a').append(entriesOf(['4']))).toBe(4);
});

it.each<[string, Json, (number | string)[][]]>([
  ['no entry', { type: 'entries', entries: [] }, [[1, '1']]],
  [
    'entries whose places are taken',
    { type: 'entries', entries: ['x', 'y'].map((id) => toJson(message(id))) },
    [
      [1, '1'],
      [2, 'y'],
    ],
  ],
  [
    'more entries than there are places',
    { type: 'entries', entries: ['x', 'y', 'z'].map((id) => toJson(message(id))) },
    [
      [1, '1'],
      [2, 'z'],
    ],
  ],
])('a record with %s is told, and the thread goes on', async (_, value, expected) => {
  const records = createRecords(memoryStorage());
  await openThread(records, 'a').append(entriesOf(['1']));
  await records.put(['threads', 'a', 'messages', '000000000002'], value);
  const problems: string[] = [];
  const thread = openThread(records, 'a', { warn: ({ code }) => problems.push(code) });
  const shown = async (after: number) =>
    (await thread.read({ after })).entries.map(({ position, entry }) => [
      position,
      entry.type === 'message' ? entry.message.id : entry.type,
    ]);
  expect(await shown(0)).toEqual(expected);
  expect(problems).toEqual(['record_corrupt']);
  expect(await shown(1)).toEqual(expected.slice(1));
  expect(await thread.append(entriesOf(['9']))).toBe(3);
  expect((await shown(0)).at(-1)).toEqual([3, '9']);
});
