// Calls that an earlier version of a tool has left in a thread, and that the current version resumes.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import { testSeals, tool, toolsetOf, until } from '../../test-kit/runs.ts';
import { scriptedModel } from '../../testing/scripted-model.ts';
import { replayThread } from '../../testing/replay/replay-thread.ts';
import { answerQuestion } from '../../thread/answer-question.ts';
import { memoryThread } from '../../thread/memory-thread.ts';
import { messagesOf } from '../../thread/messages.ts';
import { openQuestions } from '../../thread/open-questions.ts';
import type { QuestionAnswer } from '../../thread/question.ts';
import type { Thread } from '../../thread/thread.ts';
import type { Tool } from '../../tool/tool.ts';
import { permissions } from '../permission/policy.ts';
import { resume, run } from '../lazy-run.ts';

const text = { type: 'string' } as const;
const strict = (properties: JsonObject) =>
  jsonSchema({ type: 'object', properties, required: Object.keys(properties), additionalProperties: false });

/** Inputs that the tool processed. */
let done: unknown[] = [];
const execute = (input: unknown): string => (done.push(input), 'saved');
const before = tool('save', { effects: 'write', input: strict({ path: text }), execute });
const after = (more: Partial<Tool> = {}): Tool =>
  tool('save', {
    effects: 'write',
    input: strict({ place: { type: 'object' } }),
    execute,
    migrateCall: (input) => ('path' in input ? { place: { path: input['path'] ?? null } } : input),
    ...more,
  });

const fail = (): never => {
  throw new Error('It cannot be.');
};

const options = { policy: permissions('write'), seals: testSeals, questions: { parkAfterMs: 0 } };

/** A thread in which a call of the earlier version waits for an answer. */
async function parked(): Promise<Thread> {
  done = [];
  const thread = memoryThread('t');
  const model = scriptedModel([{ calls: [{ name: 'save', input: { path: '/a' } }] }]);
  await run({ ...options, model, toolset: toolsetOf([before]), thread, messages: 'Save it.' }).result;
  return thread;
}

async function answered(answer: QuestionAnswer): Promise<Thread> {
  const thread = await parked();
  const [question] = await openQuestions(thread);
  await answerQuestion(thread, { questionId: question?.id ?? '', answer, seals: testSeals });
  return thread;
}

const goOn = (thread: Thread, tools: readonly Tool[]) =>
  resume({ ...options, model: scriptedModel([{ text: 'Done.' }]), toolset: toolsetOf([...tools]), thread }).result;

const callIn = async (thread: Thread) =>
  (await messagesOf(thread)).flatMap(({ parts }) => parts).find((part) => part.type === 'tool-call');

describe('a stored call of a tool whose input has changed', () => {
  it('runs as it was allowed, in the form of today, which the thread then has', async () => {
    const thread = await answered('once');
    expect((await goOn(thread, [after()])).status).toBe('complete');
    expect(done).toEqual([{ place: { path: '/a' } }]);
    expect(await callIn(thread)).toMatchObject({
      input: { place: { path: '/a' } },
      repairs: ['The input was migrated from an earlier version of the tool.'],
    });
  });

  it('is asked about again, as it is now, if nobody has answered', async () => {
    const thread = await parked();
    expect((await goOn(thread, [after()])).status).toBe('needs-approval');
    expect(await openQuestions(thread)).toMatchObject([{ input: { place: { path: '/a' } } }]);
  });

  it('is asked about again if it may do worse than the person was told', async () => {
    const thread = await answered('once');
    expect((await goOn(thread, [after({ effects: 'destructive' })])).status).toBe('needs-approval');
    expect(done).toEqual([]);
  });

  it('takes the input that a person gave in the earlier form', async () => {
    const thread = await answered({ input: { path: '/b' } });
    expect((await goOn(thread, [after()])).status).toBe('complete');
    expect(done).toEqual([{ place: { path: '/b' } }]);
  });

  it.each([
    ['throws', () => fail()],
    ['gives input that is not valid', () => ({ place: 1 })],
    ['gives no object', () => 'all' as never],
  ] as const)('is refused in words if the migration %s', async (_, migrateCall) => {
    const thread = await answered('once');
    const { status } = await goOn(thread, [after({ migrateCall: migrateCall })]);
    expect([status, done]).toEqual(['complete', []]);
    const [result] = (await messagesOf(thread)).flatMap(({ parts }) =>
      parts.filter((part) => part.type === 'tool-result'),
    );
    expect(result?.output).toMatch(/made for an earlier version of "save", and could not be migrated: /);
  });

  it('is asked about again if the migration fails, and its input is valid still', async () => {
    const thread = await answered('once');
    const changed = after({
      input: strict({ path: text }),
      description: 'Saves it elsewhere.',
      migrateCall() {
        throw new Error('Its meaning is another.');
      },
    });
    expect((await goOn(thread, [changed])).status).toBe('needs-approval');
    expect(done).toEqual([]);
  });

  it('is done again in the form of today, after an interruption', async () => {
    done = [];
    const thread = memoryThread('t');
    const hangs = { ...before, execute: () => new Promise<never>(() => undefined) };
    const model = scriptedModel([{ calls: [{ name: 'save', input: { path: '/a' } }] }]);
    await until(run({ model, toolset: toolsetOf([hangs]), thread, messages: 'Save it.' }), 'tool-start');
    const left = memoryThread('t');
    await left.append((await thread.read()).entries.map(({ entry }) => entry));
    expect((await goOn(left, [after()])).status).toBe('needs-approval');
    const [question] = await openQuestions(left);
    await answerQuestion(left, { questionId: question?.id ?? '', answer: 'again', seals: testSeals });
    expect((await goOn(left, [after()])).status).toBe('complete');
    expect(done).toEqual([{ place: { path: '/a' } }]);
  });

  it('is replayed unchanged', async () => {
    const thread = await answered('once');
    await goOn(thread, [before]);
    expect((await replayThread(thread, { toolset: [before] })).divergence).toBeUndefined();
    const { divergence, notes } = await replayThread(thread, { toolset: [after()] });
    expect(divergence?.message).toBeUndefined();
    expect(notes).toEqual(['Calls of "save" are replayed as its migrateCall gives them.']);
    const { migrateCall: _, ...unmigrated } = after();
    const { divergence: without } = await replayThread(thread, { toolset: [unmigrated] });
    expect(without?.callId).toBe('call-1');
  });
});

it('migrates no call that the model makes now', async () => {
  done = [];
  const fails = after({
    migrateCall() {
      throw new Error('It is called.');
    },
  });
  const model = scriptedModel([{ calls: [{ name: 'save', input: { place: {} } }] }, { text: 'Done.' }]);
  await run({ model, toolset: toolsetOf([fails]), thread: memoryThread('t'), messages: 'Save it.' }).result;
  expect(done).toEqual([{ place: {} }]);
});
