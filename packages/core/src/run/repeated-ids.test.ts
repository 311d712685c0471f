import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { callsOf } from '../model/message.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../model/message.ts';
import { createRecords } from '../records/records.ts';
import { marksOf, memoryThread, resultsOf, tool, toolsetOf } from '../test-kit/runs.ts';
import { scriptedModel } from '../testing/index.ts';
import { messagesOf } from '../thread/messages.ts';
import { openThread } from '../thread/open-thread.ts';
import type { Thread } from '../thread/thread.ts';
import type { CallEntry, ThreadEntry } from '../thread/entry.ts';
import { result } from '../tool/result.ts';
import { resume, run } from './lazy-run.ts';
import type { ResumeOptions } from './run.ts';

// Threads stored by other programs: a run drops calls that repeat an id, and renames those with unusable ids.

const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 1 };

const called = (callId: string, name = 'save', more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  callId,
  name,
  input: {},
  executedBy: 'us',
  ...more,
});

const turn = (parts: readonly Part[], more: Partial<Message> = {}): Message => ({
  id: 'a',
  role: 'assistant',
  parts,
  createdAt: 2,
  runId: 'r',
  ...more,
});

/** A message that no run has stored. */
const fromElsewhere = ({ runId: _, ...message }: Message): Message => message;

const answered = (callId: string, output: string, more: Partial<ToolResultPart> = {}): Message => ({
  id: `r-${output}`,
  role: 'tool',
  createdAt: 3,
  parts: [
    {
      type: 'tool-result',
      callId,
      name: 'save',
      output,
      modelParts: [{ type: 'text', text: output }],
      isError: false,
      ...more,
    },
  ],
});

const begun = (call: ToolCallPart): ThreadEntry => ({
  type: 'call-begun',
  callId: call.callId,
  call,
  runId: 'r',
  time: 1,
});

async function storedThread(messages: readonly Message[], others: readonly ThreadEntry[] = []): Promise<Thread> {
  const thread = openThread(createRecords(memoryStorage()), 't');
  await thread.append([...messages.map((message) => ({ type: 'message', message }) as const), ...others]);
  return thread;
}

/** The tools that the stored calls use, and the ids and keys of the calls that ran. */
function createTools() {
  const ran: string[] = [];
  const keys: string[] = [];
  const save = tool('save', {
    effects: 'write',
    execute(_input, _options, { callId, idempotencyKey }) {
      ran.push(callId);
      keys.push(idempotencyKey);
      return 'saved';
    },
  });
  const look = tool('look', { execute: (_input, _options, { callId }) => ran.push(callId) });
  const build = tool('build', {
    effects: 'write',
    execute(_input, _options, { callId }) {
      ran.push(callId);
      return result({ output: 'It has begun.', detached: 'handle' });
    },
    settle: (handle) => handle,
  });
  const outer = tool('outer', { execute: async (_input, _options, { call }) => (await call('save', {})).output });
  return { ran, keys, toolset: toolsetOf([save, look, build, outer]) };
}

/** Resumes a thread to its end, answers each question with yes, and returns the calls that ran or were asked about. */
async function resumed(thread: Thread, options: Partial<ResumeOptions> = {}) {
  const { ran, keys, toolset } = createTools();
  const model = scriptedModel([{ text: 'Done.' }, { text: 'Done.' }]);
  const resuming = resume({ model, toolset, thread, ...options });
  const asked: string[] = [];
  for await (const event of resuming.events()) {
    if (event.type !== 'approval-request' && event.type !== 'recovery-request') continue;
    asked.push(event.callId);
    resuming.answer(event.questionId, event.type === 'approval-request' ? 'once' : 'again');
  }
  const { status } = await resuming.result;
  return { status, ran, keys, asked, shown: model.requests[0]?.messages ?? [] };
}

/** The ids of the calls and results of each message that has some. */
const idsOf = (messages: readonly Message[]): readonly (readonly string[])[] =>
  messages
    .map(({ parts }) => parts.flatMap((part) => ('callId' in part ? part.callId : [])))
    .filter((ids) => ids.length > 0);

describe('a stored turn with two open calls of one id', () => {
  it.each<[string, readonly Part[], Partial<Message>?]>([
    ['changes', [called('1'), called('1')]],
    ['reads', [called('1', 'look'), called('1', 'look')]],
    ['calls of different tools', [called('1'), called('1', 'look')]],
    ['calls of a truncated turn', [called('1'), called('1')], { incomplete: true }],
    ['calls that go on in the background', [called('1', 'build'), called('1', 'build')]],
    ['calls that have titles', [called('1', 'save', { title: 'Save' }), called('1', 'save', { title: 'Save' })]],
  ])('runs one of them: %s', async (_, parts, more) => {
    const thread = await storedThread([user, turn(parts, more)]);
    const { status, ran, shown } = await resumed(thread);
    expect({ status, ran, shown: idsOf(shown) }).toEqual({ status: 'complete', ran: ['1'], shown: [['1'], ['1']] });
    expect(callsOf((await messagesOf(thread))[1] as Message)).toHaveLength(1);
    expect(resultsOf(await messagesOf(thread))).toHaveLength(1);
  });

  it('runs the calls around them, in their order', async () => {
    const parts = [called('1'), { type: 'text', text: 'And' } as const, called('2'), called('1'), called('3')];
    const { status, ran, shown } = await resumed(await storedThread([user, turn(parts)]));
    expect([status, ran]).toEqual(['complete', ['1', '2', '3']]);
    expect(idsOf(shown)).toEqual([['1', '2', '3'], ['1'], ['2'], ['3']]);
  });

  it('asks once for approval', async () => {
    const thread = await storedThread([user, turn([called('1'), called('1')])]);
    const { status, ran, asked } = await resumed(thread, { policy: () => 'ask' });
    expect({ status, ran, asked }).toEqual({ status: 'complete', ran: ['1'], asked: ['1'] });
  });

  it.each([
    ['its beginning is stored', turn([called('1'), called('1')]), [begun(called('1'))]],
    ['no run has stored the turn', fromElsewhere(turn([called('1'), called('1')])), []],
  ])('asks once if it may have taken effect: %s', async (_, message, entries) => {
    const thread = await storedThread([user, message], entries);
    const { status, ran, asked } = await resumed(thread);
    expect({ status, ran, asked }).toEqual({ status: 'complete', ran: ['1'], asked: ['1'] });
  });

  it('reports it once as interrupted if nobody can be asked', async () => {
    const thread = await storedThread([user, turn([called('1'), called('1')])], [begun(called('1'))]);
    const { status, ran, shown } = await resumed(thread, { interactive: false });
    expect({ status, ran }).toEqual({ status: 'complete', ran: [] });
    expect(resultsOf(shown).map(({ callId, code }) => [callId, code])).toEqual([['1', 'tool_interrupted']]);
  });

  it('answers it once if the user goes on with something else', async () => {
    const thread = await storedThread([user, turn([called('1'), called('1')])]);
    const { ran, toolset } = createTools();
    const model = scriptedModel([{ text: 'Fine.' }]);
    const { status } = await run({ model, toolset, thread, messages: 'Never mind.' }).result;
    expect([status, ran]).toEqual(['complete', []]);
    expect(idsOf(model.requests[0]?.messages ?? [])).toEqual([['1'], ['1']]);
    expect(idsOf(await messagesOf(thread))).toEqual([['1'], ['1']]);
  });
});

it('contains a retried call only once in a turn that was lost', async () => {
  const thread = await storedThread([user], [begun(called('1')), begun(called('1'))]);
  const { status, ran, asked, shown } = await resumed(thread);
  expect({ status, ran, asked }).toEqual({ status: 'complete', ran: ['1'], asked: ['1'] });
  expect(idsOf(shown)).toEqual([['1'], ['1']]);
});

describe('two results of one id: the first counts', () => {
  it.each<[string, readonly Message[]]>([
    ['of a call', [turn([called('1')]), answered('1', 'first'), answered('1', 'second')]],
    ['of two calls', [turn([called('1'), called('1')]), answered('1', 'first'), answered('1', 'second')]],
    ['of two calls with one result', [turn([called('1'), called('1')]), answered('1', 'first')]],
  ])('%s', async (_, messages) => {
    const { status, ran, shown } = await resumed(await storedThread([user, ...messages]));
    expect([status, ran]).toEqual(['complete', []]);
    expect(resultsOf(shown).map(({ output }) => output)).toEqual(['first']);
    expect(idsOf(shown)).toEqual([['1'], ['1']]);
  });

  it('also if another call is open', async () => {
    const parts = [called('1'), called('2'), called('1')];
    const thread = await storedThread([user, turn(parts), answered('1', 'first'), answered('1', 'second')]);
    const { status, ran, shown } = await resumed(thread);
    expect([status, ran]).toEqual(['complete', ['2']]);
    expect(resultsOf(shown).map(({ output }) => output)).toEqual(['first', 'saved']);
  });

  it('also of calls in the background', async () => {
    const receipts = ['first', 'second'].map((text) => answered('1', text, { name: 'build', detached: text }));
    const thread = await storedThread([user, turn([called('1', 'build'), called('1', 'build')]), ...receipts]);
    const { status, ran } = await resumed(thread);
    const late = (await messagesOf(thread)).flatMap(({ parts: [part] }) => (part?.type === 'late-result' ? part : []));
    expect([status, ran]).toEqual(['complete', []]);
    expect(late.map(({ output }) => output)).toEqual(['first']);
  });
});

it.each<[string, readonly Message[]]>([
  ['open', [user, turn([called('1'), called('1')])]],
  ['answered', [user, turn([called('1'), called('1')]), answered('1', 'first')]],
])('a run shows a call of given messages once, and does not run it: %s', async (_, messages) => {
  const { ran, toolset } = createTools();
  const model = scriptedModel([{ text: 'Done.' }]);
  const { status } = await run({ model, toolset, messages }).result;
  expect([status, ran]).toEqual(['complete', []]);
  expect(idsOf(model.requests[0]?.messages ?? [])).toEqual([['1'], ['1']]);
});

describe('two turns with an open call of one id', () => {
  it('runs the later one, and reports the earlier one as interrupted', async () => {
    const thread = await storedThread([user, turn([called('1')]), turn([called('1')], { id: 'b' })]);
    const { status, ran, shown } = await resumed(thread);
    expect([status, ran]).toEqual(['complete', ['1']]);
    expect(resultsOf(shown).map(({ code }) => code)).toEqual(['tool_interrupted', undefined]);
  });

  it('asks if either of them had begun', async () => {
    const messages = [user, turn([called('1')]), turn([called('1')], { id: 'b' })];
    const { status, ran, asked } = await resumed(await storedThread(messages, [begun(called('1'))]));
    expect({ status, ran, asked }).toEqual({ status: 'complete', ran: ['1'], asked: ['1'] });
  });
});

describe('a stored call with the id of an inner call', () => {
  const parts = [called('1', 'outer'), called('1›1')];

  it('is another call: it has an id and a key of its own', async () => {
    const { status, ran, keys, shown } = await resumed(await storedThread([user, turn(parts)]));
    expect([status, ran]).toEqual(['complete', ['1›1', '1-1']]);
    expect(new Set(keys).size).toBe(2);
    expect(idsOf(shown)).toEqual([['1', '1-1'], ['1'], ['1-1']]);
  });

  it('is stored with that id before it begins, and so is its beginning', async () => {
    const thread = memoryThread([user, turn([called('1›1'), called('1-1')])]);
    const { status, ran } = await resumed(thread);
    expect([status, ran]).toEqual(['complete', ['1-1-2', '1-1']]);
    expect(idsOf(thread.log)[1]).toEqual(['1-1-2', '1-1']);
    expect(marksOf(thread.marks).filter(([type]) => type === 'call-begun')).toEqual([
      ['call-begun', '1-1-2'],
      ['call-begun', '1-1'],
    ]);
  });

  it('keeps its result', async () => {
    const thread = await storedThread([user, turn(parts), answered('1›1', 'before')]);
    const { status, ran, shown } = await resumed(thread);
    expect([status, ran]).toEqual(['complete', ['1›1']]);
    expect(resultsOf(shown).map(({ output }) => output)).toEqual(['saved', 'before']);
  });
});

it.each([
  ['one call', [called('')], ['call']],
  ['several', [called(''), called('call'), called('')], ['call-2', 'call']],
])('stored calls without an id get one: %s', async (_, parts, ids) => {
  const { status, ran, shown } = await resumed(await storedThread([user, turn(parts)]));
  expect([status, ran]).toEqual(['complete', ids]);
  expect(idsOf(shown)).toEqual([ids, ...ids.map((id) => [id])]);
});

it.each(['', '1›1', '›'])(
  'does not run a renamed call unasked, whatever the thread has under its former id: %j',
  async (callId) => {
    const { call: _, ...beginning } = begun(called(callId)) as CallEntry;
    for (const entries of [[], [beginning], [begun(called(callId))]]) {
      const { status, ran } = await resumed(await storedThread([user, turn([called(callId)])], entries), {
        interactive: false,
      });
      expect([status, ran]).toEqual(['complete', []]);
    }
  },
);

it('renames thousands of calls that would get one id', async () => {
  const parts = Array.from({ length: 3_000 }, (_, index) =>
    called([...index.toString(2)].map((bit) => '›-'[Number(bit)]).join('') + '›', 'look'),
  );
  const { status, ran } = await resumed(await storedThread([user, turn(parts)]));
  expect([status, new Set(ran).size]).toEqual(['complete', 3_000]);
});

it('a call that the provider ran is not taken for ours, though both have one id', async () => {
  const parts = [called('1', 'search', { executedBy: 'provider' }), called('1')];
  const { status, ran, shown } = await resumed(await storedThread([user, turn(parts)]));
  expect([status, ran]).toEqual(['complete', ['1']]);
  expect(shown[1]?.parts).toMatchObject([{ executedBy: 'provider' }, { executedBy: 'us' }]);
});
