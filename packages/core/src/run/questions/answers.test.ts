import { expect, it } from 'vitest';
import { memoryStorage } from '@utensil/storage-memory';
import { createRecords } from '../../records/records.ts';
import type { RecordStore } from '../../records/records.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import type { ThreadEntry } from '../../thread/entry.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import { openThread } from '../../thread/open-thread.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { eventsOf, play, testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import type { Tool } from '../../tool/tool.ts';
import { memoryGrants } from '../permission/grants.ts';
import type { RunOptions } from '../run.ts';
import { resume } from '../lazy-run.ts';

const asks = { policy: () => 'ask' as const, seals: testSeals };

function saving(more: Partial<Tool> = {}) {
  const saved: unknown[] = [];
  const save = tool('save', { effects: 'write', execute: (input) => `${saved.push(input)}`, ...more });
  return { save, saved };
}

const saves = (...callIds: readonly string[]) => ({ calls: callIds.map((callId) => ({ name: 'save', callId })) });

/** Another instance of a thread that waits for an approval. */
async function parked(records: RecordStore = createRecords(memoryStorage())) {
  const open = () => openThread(records, 't');
  const questions = { parkAfterMs: 0 };
  await play([saves('a')], [saving().save], { ...asks, thread: open(), questions }).result;
  const [question] = await openQuestions(open());
  return { open, questionId: question?.id ?? '' };
}

const goOn = (open: Awaited<ReturnType<typeof parked>>['open'], save: Tool, more: Partial<RunOptions> = {}) =>
  resume({ model: scriptedModel([{ text: 'Done.' }]), toolset: toolsetOf([save]), ...asks, thread: open(), ...more });

it('an answer that does not count left a question that nobody saw any more', async () => {
  const { open, questionId } = await parked();
  await open().append([{ type: 'answer', questionId, answer: 'once', time: Date.now() }]); // by another program
  const { save, saved } = saving();
  expect((await goOn(open, save, { questions: { parkAfterMs: 0 } }).result).status).toBe('needs-approval');
  const [question, ...others] = await openQuestions(open());
  expect([question?.name, others.length]).toEqual(['save', 0]);
  await answerQuestion(open(), { questionId: question?.id ?? '', answer: 'once', seals: testSeals });
  expect((await goOn(open, save).result).status).toBe('complete');
  expect(saved).toHaveLength(1);
});

it('what waited for approval ran unasked if the run went on without a policy', async () => {
  const { open } = await parked();
  const { save, saved } = saving();
  const options = { model: scriptedModel([{ text: 'Done.' }]), toolset: toolsetOf([save]), thread: open() };
  const { status } = await resume({ ...options, questions: { parkAfterMs: 0 } }).result;
  expect([status, saved.length]).toEqual(['needs-approval', 0]);
});

it('an answer is refused once the time for it is over, though no timer has told that yet', async () => {
  let now = 1_000;
  const { save } = saving();
  const environment = { now: () => now, id: () => crypto.randomUUID() };
  const played = play([saves('a'), { text: 'Done.' }], [save], {
    ...asks,
    environment,
    questions: { expireAfterMs: 1e9 },
  });
  const { questionId } = await until(played, 'approval-request');
  now += 1e9 + 1; // the machine has slept
  expect(() => played.answer(questionId, 'once')).toThrow(
    expect.objectContaining({ code: 'question_closed' }) as Error,
  );
  played.abort();
  await played.result;
});

it.each([
  ['very late', { parkAfterMs: 1e12 }],
  ['never', { parkAfterMs: Infinity }],
])('a run that was to park %s parked at once', async (_, questions) => {
  const { save, saved } = saving();
  const thread = openThread(createRecords(memoryStorage()), 't');
  const played = play([saves('a'), { text: 'Done.' }], [save], { ...asks, thread, questions });
  const { questionId } = await until(played, 'approval-request');
  await new Promise((then) => setTimeout(then, 5));
  played.answer(questionId, 'once');
  expect((await played.result).status).toBe('complete');
  expect(saved).toHaveLength(1);
});

it.each([
  ['parkAfterMs', Number.NaN],
  ['expireAfterMs', -1],
])('refuses %s of %d', async (name, value) => {
  const thread = openThread(createRecords(memoryStorage()), 't');
  const { error } = await play([], [], { thread, questions: { [name]: value } }).result;
  expect(error).toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(`questions.${name}`) as string,
  });
});

it('a question of a kind that a newer version knows ended the run that read it', async () => {
  const { open, questionId } = await parked();
  const { entries } = await open().read();
  const asked = entries.map(({ entry }) => entry).find((entry) => entry.type === 'question');
  await open().append([{ ...asked, id: 'newer', kind: 'form' } as unknown as ThreadEntry]);
  const seen: string[] = [];
  const thread = openThread(createRecords(memoryStorage()), 'other', { warn: ({ code }) => seen.push(code) });
  await thread.append(entries.map(({ entry }) => entry).filter((entry) => entry.type === 'message'));
  expect((await openQuestions(open())).map(({ id }) => id)).toEqual([questionId]);
  const { save } = saving();
  expect((await goOn(open, save, { questions: { parkAfterMs: 0 } }).result).status).toBe('needs-approval');
});

it('an answer that could not be sealed was stored all the same, and never counted', async () => {
  const { open, questionId } = await parked();
  const locked = { ...testSeals, make: () => Promise.reject(new Error('The key is locked.')) };
  const answer = { questionId, answer: 'once', seals: locked } as const;
  await expect(answerQuestion(open(), answer)).rejects.toThrow('The key is locked.');
  await answerQuestion(open(), { ...answer, seals: testSeals });
  const { save, saved } = saving();
  await goOn(open, save).result;
  expect(saved).toHaveLength(1);
});

it('"always" counts for the run, and says so, where the run that goes on has nowhere to keep it', async () => {
  const { open, questionId } = await parked();
  await answerQuestion(open(), { questionId, answer: 'always', seals: testSeals });
  const { save, saved } = saving();
  const model = scriptedModel([saves('b'), { text: 'Done.' }]);
  const resumed = goOn(open, save, { model });
  expect((await resumed.result).status).toBe('complete');
  expect(saved).toHaveLength(2);
  const ignored = (await eventsOf(resumed)).filter(({ type }) => type === 'permission-ignored');
  expect(ignored).toMatchObject([{ reason: expect.stringContaining('`grants`') as string }]);
  const kept = memoryGrants();
  const again = await parked();
  await answerQuestion(again.open(), { questionId: again.questionId, answer: 'always', seals: testSeals });
  expect((await eventsOf(goOn(again.open, saving().save, { grants: kept }))).map(({ type }) => type)).not.toContain(
    'permission-ignored',
  );
});
