import {
  UtensilError,
  messagesOf,
  noUsage,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openThread,
  permissions,
  resolveToolset,
  result,
  resume,
  run,
} from '@utensil/core';
import type { Message, RunEvent, ToolContext } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldRun, noRun, noticeOf, threadView } from './index.ts';
import type { CallView, ItemView, LiveRun, MessageView } from './index.ts';

const anything = jsonSchema({ type: 'object' });

const tools = [
  defineTool({
    name: 'look',
    title: 'Look',
    description: 'd',
    input: anything,
    effects: 'read',
    execute: () => 'seen',
  }),
  defineTool({
    name: 'change',
    description: 'd',
    input: anything,
    effects: 'write',
    execute: () => ({ changed: true }),
  }),
  defineTool({
    name: 'fail',
    description: 'd',
    input: anything,
    effects: 'read',
    execute: () => {
      throw new Error('no');
    },
  }),
  defineTool({
    name: 'rewrite',
    description: 'd',
    input: anything,
    effects: 'read',
    execute: () => result({ output: 1, input: { rewritten: true } }),
  }),
  defineTool({
    name: 'script',
    description: 'd',
    input: anything,
    effects: 'read',
    async execute(_: unknown, __: unknown, { call }: ToolContext) {
      await call('look', {});
      const changed = await call('change', { deep: true });
      return changed.output;
    },
  }),
];

const toolset = resolveToolset(createRegistry(tools), emptySettings, {});

/** A failure after which the turn is asked for again at once. */
const passing = new UtensilError('stream_truncated', 'It broke off.', { retryable: true, retryAfterMs: 0 });

const turns = fc.array(
  fc.record(
    {
      reasoning: fc.string({ minLength: 1 }),
      text: fc.string({ minLength: 1 }),
      calls: fc.array(
        fc.record({
          name: fc.constantFrom('look', 'change', 'fail', 'rewrite', 'script', 'unknown'),
          input: fc.constantFrom('{}', '{"a":1}', '', '{"cut":', '[1]'),
          callId: fc.constantFrom('a', 'b', 'c'),
        }),
        { maxLength: 4 },
      ),
      reason: fc.constantFrom('stop', 'length', 'refusal', 'error', 'pause'),
      breaks: fc.constantFrom(passing, new Error('broken')),
      hangs: fc.constant(true),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<ScriptedTurn>,
  { minLength: 1, maxLength: 4 },
);

interface Played {
  readonly live: LiveRun;
  readonly events: readonly RunEvent[];
  readonly messages: readonly Message[];
}

/** Plays a run to its end, whatever it asks; at the event `cut` it is aborted. */
async function play(script: readonly ScriptedTurn[], cut: number, answer: 'once' | 'deny'): Promise<Played> {
  const thread = openThread(createRecords(memoryStorage()), 't');
  const options = { toolset, thread, policy: permissions('write'), limits: { steps: 3 } };
  const played = run({ ...options, model: scriptedModel(script), messages: 'Go.' });
  const events: RunEvent[] = [];
  let live = noRun;
  let isAborted = false;
  for await (const event of played.events()) {
    events.push(event);
    live = foldRun(live, event);
    const isTwice = event.type === 'message' && live.messages.some(({ id }) => id === undefined);
    expect(isTwice).toBe(false);
    if (events.length === cut || (event.type === 'text-delta' && script.some(({ hangs }) => hangs))) {
      isAborted = true;
      played.abort();
    }
    if (event.type === 'approval-request' && !isAborted) played.answer(event.questionId, answer);
  }
  return { live, events, messages: await messagesOf(thread) };
}

/** The stored part of a message: without its key and nested calls. */
function storable({ key: _, items, ...message }: MessageView): unknown {
  return {
    ...message,
    items: items.map((item: ItemView) =>
      item.type === 'call' ? { ...item, call: { ...item.call, inner: [] } } : item,
    ),
  };
}

/** The states of a run after each of its events, one second after the other. */
function statesAfter(bodies: readonly object[]): readonly LiveRun[] {
  const states: LiveRun[] = [];
  for (const [seq, body] of bodies.entries())
    states.push(foldRun(states.at(-1) ?? noRun, { ...body, runId: 'r', seq, time: seq * 1_000 } as RunEvent));
  return states;
}

const model = { api: 'text', id: 'm' } as const;
const other = { api: 'text', id: 'n' } as const;
const busy = { code: 'model_overloaded', message: 'Busy.' } as const;

it('shows why and when a turn is retried, without its partial text, until the retry streams', () => {
  const states = statesAfter([
    { type: 'run-start' },
    { type: 'step-start', step: 1, model },
    { type: 'text-delta', text: 'Half' },
    { type: 'step-retry', step: 1, attempt: 1, waitMs: 4_000, error: busy, model },
    { type: 'step-retry', step: 1, attempt: 2, waitMs: 0, error: busy, model: other },
    { type: 'step-start', step: 1, model: other },
    { type: 'text-delta', text: 'Whole' },
    { type: 'step-end', step: 1, reason: 'stop', usage: noUsage },
    { type: 'step-start', step: 2, model: other },
  ]).slice(3);
  const [again, elsewhere, asked, whole, , next] = states.map(({ messages }) =>
    messages.map(({ key, items, retry }) => ({ key, items, retry })),
  );
  const waiting = { key: 'r/1', items: [] };
  const failed = { code: 'model_overloaded', waitMs: 4_000 } as const;
  expect(again).toEqual([{ ...waiting, retry: { ...failed, attempt: 1, until: 7_000 } }]);
  const instead = { ...waiting, retry: { ...failed, attempt: 2, waitMs: 0, until: 4_000, model: 'n' } };
  expect(elsewhere).toEqual([instead]);
  expect(asked).toEqual([instead]);
  expect(states[2]?.messages[0]?.retry).toEqual(instead.retry);
  expect(whole).toEqual([{ key: 'r/1', items: [{ type: 'text', text: 'Whole' }], retry: undefined }]);
  expect(next?.at(-1)).toEqual({ key: 'r/2', items: [], retry: undefined });
});

it('has no error any more once a later turn has succeeded', () => {
  const end = (reason: string): object => ({ type: 'step-end', step: 1, reason, usage: noUsage });
  const states = statesAfter([{ type: 'error', error: busy }, end('error'), end('tool-calls')]);
  expect(states.map(({ error }) => error)).toEqual([busy, busy, undefined]);
});

it('keeps an error about the stored conversation through failed and successful turns, and tells it at the end', () => {
  const end = (reason: string): object => ({ type: 'step-end', step: 1, reason, usage: noUsage });
  const damage = { code: 'record_corrupt', message: 'An entry is damaged.' };
  const tells = (error: object): object => ({ type: 'error', error });
  const states = statesAfter([
    tells(damage),
    tells(busy),
    end('error'),
    end('stop'),
    { type: 'run-end', status: 'complete' },
  ]);
  expect(states.map(({ error }) => error)).toEqual([damage, busy, busy, undefined, undefined]);
  expect(states.map((live) => live.damage)).toEqual(states.map(() => damage));
  const [going, ended] = states.slice(-2).map((live) => noticeOf(live));
  expect(going).toBeUndefined();
  expect(ended).toEqual({
    type: 'notice',
    kind: 'damaged',
    text: 'Part of this conversation cannot be read. The model was told where.',
    details: 'An entry is damaged.',
    canContinue: false,
  });
});

it('drops what a run inside said and called in a turn that failed, and nothing of the turns before', () => {
  const inside = (event: object): object => ({
    type: 'sub-run',
    callId: 'a',
    event: { ...event, runId: 'inside', seq: 0, time: 0 },
  });
  const call = { type: 'tool-call', callId: 'a', name: 'agent', input: {}, executedBy: 'us' };
  const states = statesAfter([
    { type: 'step-start', step: 1, model },
    call,
    inside({ type: 'step-start', step: 1, model }),
    inside({ type: 'text-delta', text: 'I look.' }),
    inside({ ...call, callId: 'b' }),
    inside({ type: 'step-start', step: 2, model }),
    inside({ type: 'text-delta', text: 'I have se' }),
    inside({ type: 'tool-input-start', callId: 'c', name: 'look' }),
    inside({ type: 'step-retry', step: 2, attempt: 1, waitMs: 0, error: busy, model }),
    inside({ type: 'step-start', step: 2, model }),
    inside({ type: 'text-delta', text: 'I have seen.' }),
  ]);
  const shown = states.slice(-4).map(({ messages }) => {
    const [item] = messages[0]?.items ?? [];
    return item?.type === 'call' ? [item.call.saying, item.call.inner.map(({ callId }) => callId)] : [];
  });
  expect(shown).toEqual([
    ['\nI look.\nI have se', ['b', 'c']],
    ['\nI look.', ['b']],
    ['\nI look.\n', ['b']],
    ['\nI look.\nI have seen.', ['b']],
  ]);
});

describe('foldRun', () => {
  it('ends with what is stored, whatever the model does and wherever the run is cut', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.nat(40), fc.constantFrom('once', 'deny'), async (script, cut, answer) => {
        const hanging = script.map((turn) =>
          turn.hangs === true && turn.text === undefined ? { ...turn, text: '…' } : turn,
        );
        const { live, messages } = await play(hanging, cut, answer);
        expect(live.messages.map(storable)).toEqual(threadView(messages).messages.map(storable));
        expect(live.questions).toEqual([]);
        expect(live.messages.some(({ isStreaming }) => isStreaming)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('never throws, whatever the order of events, and takes each event once', async () => {
    const script = [
      { reasoning: 'Hm.', text: 'So.', calls: [{ name: 'script' }, { name: 'change' }, { name: 'fail', input: '{' }] },
      { text: 'Done.' },
    ];
    const { events, live } = await play(script, -1, 'once');
    expect(events.reduce(foldRun, live)).toBe(live);
    fc.assert(
      fc.property(fc.shuffledSubarray([...events, ...events], { minLength: 1 }), (order) => {
        const numbered = order.map((event, seq) => ({ ...event, seq }));
        expect(() => numbered.reduce(foldRun, noRun)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('changes nothing of a state that it was given', async () => {
    const { events } = await play([{ text: 'A text.', calls: [{ name: 'script' }] }, { text: 'End.' }], -1, 'once');
    let live = noRun;
    for (const event of events) {
      const before = structuredClone({ ...live });
      const after = foldRun(live, event);
      expect(live).toEqual(before);
      live = after;
    }
  });

  it('shows the input of a call while it is written, its progress, its question and the calls inside', async () => {
    const envelope = (seq: number): Pick<RunEvent, 'runId' | 'seq' | 'time'> => ({ runId: 'r', seq, time: seq });
    const asked = { callId: 'a', name: 'change', input: {}, title: 'Change', effects: 'write' } as const;
    const events = [
      { type: 'run-start' },
      { type: 'step-start', step: 1, model: { api: 'text', id: 'm' } },
      { type: 'tool-input-start', callId: 'a', name: 'change' },
      { type: 'tool-input-delta', callId: 'a', delta: '{"x"' },
      { type: 'tool-input-delta', callId: 'a', delta: ':1}' },
      { type: 'tool-call', callId: 'a', name: 'change', input: { x: 1 }, executedBy: 'us' },
      { type: 'approval-request', questionId: 'q', ...asked, preview: 'p' },
      { type: 'approval-answer', questionId: 'q', callId: 'a', answer: 'once' },
      { type: 'tool-start', ...asked, repairs: [] },
      { type: 'tool-progress', callId: 'a', progress: 0.5 },
      { type: 'tool-start', ...asked, callId: 'a›1', repairs: [], parentCallId: 'a' },
      {
        type: 'sub-run',
        callId: 'a',
        event: { type: 'approval-request', questionId: 'q', ...asked, runId: 'inside', seq: 0, time: 0 },
      },
    ] as const;
    const seen: CallView[] = [];
    let live = noRun;
    for (const [seq, event] of events.entries()) {
      live = foldRun(live, { ...event, ...envelope(seq) });
      const item = live.messages.at(-1)?.items.at(-1);
      if (item?.type === 'call') seen.push(item.call);
    }
    expect(seen.map(({ status, inputText }) => [status, inputText])).toEqual([
      ['input', ''],
      ['input', '{"x"'],
      ['input', '{"x":1}'],
      ['waiting', undefined],
      ['asking', undefined],
      ['waiting', undefined],
      ['running', undefined],
      ['running', undefined],
      ['running', undefined],
      ['running', undefined],
    ]);
    expect(seen[4]?.question).toMatchObject({ kind: 'approval', runId: 'r', preview: 'p' });
    expect(seen.at(-1)).toMatchObject({
      progress: 0.5,
      inner: [
        { callId: 'a›1', status: 'running' },
        { callId: 'a', runId: 'inside', status: 'asking', question: { runId: 'inside' } },
      ],
    });
    expect(live.questions).toEqual([expect.objectContaining({ callId: 'a', runId: 'inside' })]);
  });

  it('says with a question why a permission that is stored does not count', () => {
    const asked = { callId: 'a', name: 'change', input: {}, title: 'Change', effects: 'write' } as const;
    const events = [
      { type: 'permission-ignored', callId: 'a', name: 'change', reason: 'it has no seal' },
      { type: 'approval-request', questionId: 'q', ...asked, reason: 'A rule asks.' },
      { type: 'approval-request', questionId: 'q', ...asked, callId: 'b' },
    ] as const;
    let live = noRun;
    for (const [seq, event] of events.entries()) live = foldRun(live, { ...event, runId: 'r', seq, time: 0 });
    expect(live.questions.map(({ ignored }) => ignored)).toEqual(['it has no seal', undefined]);
    expect(live.questions.map(({ reason }) => reason)).toEqual(['A rule asks.', undefined]);
    expect(live.earlierCalls.map(({ question }) => question?.ignored)).toEqual(['it has no seal', undefined]);
  });

  it.each(['the run', 'the run inside'])('leaves nothing that is asked or goes on when %s is over', (which) => {
    const envelope = { runId: 'r', time: 0 };
    const inside = { runId: 'inside', seq: 0, time: 0 } as const;
    const call = { callId: 'a', name: 'agent', input: {} } as const;
    const asked = { callId: 'b', name: 'change', input: {}, title: 'Change', effects: 'write' } as const;
    const parts = [{ type: 'tool-call', ...call, executedBy: 'us' }] as const;
    const end = { type: 'run-end', status: 'aborted', usage: noRun.usage, steps: 1 } as const;
    const events = [
      { type: 'step-start', step: 1, model: { api: 'text', id: 'm' } },
      { type: 'tool-call', ...call, executedBy: 'us' },
      { type: 'message', message: { id: 'm', role: 'assistant', parts, createdAt: 0 } },
      { type: 'sub-run', callId: 'a', event: { type: 'text-delta', text: 'I look.', ...inside } },
      { type: 'sub-run', callId: 'a', event: { type: 'approval-request', questionId: 'q', ...asked, ...inside } },
      which === 'the run' ? end : { type: 'sub-run', callId: 'a', event: { ...end, ...inside } },
    ] as const;
    const states = [noRun];
    for (const [seq, event] of events.entries())
      states.push(foldRun(states.at(-1) ?? noRun, { ...event, ...envelope, seq } as RunEvent));
    const callIn = ({ messages }: LiveRun | undefined = noRun): CallView | undefined => {
      const [item] = messages[0]?.items ?? [];
      return item?.type === 'call' ? item.call : undefined;
    };
    expect(callIn(states.at(-2))).toMatchObject({ saying: 'I look.', inner: [{ question: { runId: 'inside' } }] });
    expect(callIn(states.at(-1))?.inner).toEqual([
      expect.not.objectContaining({ question: expect.anything() as unknown }),
    ]);
    expect(callIn(states.at(-1))?.inner[0]?.status).toBe('left');
    expect(states.at(-1)?.questions).toEqual([]);
  });

  it('ends with the stored messages if a run continues the calls of an earlier message', async () => {
    const thread = openThread(createRecords(memoryStorage()), 't');
    await thread.append([
      { type: 'message', message: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Go.' }], createdAt: 0 } },
    ]);
    await thread.append([
      {
        type: 'message',
        message: {
          id: 'm',
          role: 'assistant',
          parts: [{ type: 'tool-call', callId: 'a', name: 'look', input: {}, executedBy: 'us' }],
          createdAt: 0,
        },
      },
    ]);
    let live = noRun;
    for await (const event of resume({ toolset, thread, model: scriptedModel([{ text: 'Seen.' }]) }).events())
      live = foldRun(live, event);
    expect(live.earlierCalls).toEqual([]);
    const stored = threadView(await messagesOf(thread)).messages.slice(1);
    expect(live.messages.map(storable)).toEqual(stored.map(storable));
  });

  it('takes the result of a call of which it knows no message', () => {
    const envelope = { runId: 'r', seq: 0, time: 0 };
    const started = { type: 'tool-start', callId: 'a', name: 'look', input: {}, title: 'Look' } as const;
    const live = foldRun(noRun, { ...started, effects: 'read', repairs: [], ...envelope });
    expect(live.earlierCalls).toMatchObject([{ callId: 'a', status: 'running' }]);
    const done = { output: 'seen', modelParts: [], isError: false };
    const ended = { type: 'tool-end', callId: 'a', name: 'look', result: done, durationMs: 1 } as const;
    expect(foldRun(live, { ...ended, ...envelope, seq: 1 }).earlierCalls).toMatchObject([
      { status: 'done', result: done },
    ]);
  });

  it('gives limits, errors and what was taken', async () => {
    const script = [
      { calls: [{ name: 'look' }], usage: { inputTokens: 5 } },
      { text: 'Enough.', usage: { inputTokens: 7 } },
    ];
    const thread = openThread(createRecords(memoryStorage()), 't');
    let live = noRun;
    for await (const event of run({
      toolset,
      thread,
      model: scriptedModel(script),
      messages: 'Go.',
      limits: { steps: 1 },
    }).events())
      live = foldRun(live, event);
    expect(live).toMatchObject({ status: 'limit', limit: 'steps', step: 2, usage: { inputTokens: 12 } });
    const failed = await play([{ breaks: new Error('It broke.') }], -1, 'once');
    expect(failed.live).toMatchObject({ status: 'error', error: { message: 'It broke.' } });
  });
});

describe('threadView', () => {
  it('returns the same objects for unchanged messages, even if they were reread', async () => {
    const { messages } = await play([{ text: 'One.', calls: [{ name: 'look' }] }, { text: 'Two.' }], -1, 'once');
    const before = threadView(messages);
    expect(threadView(structuredClone([...messages]), before)).toBe(before);
    const more = threadView([...messages, { id: 'n', role: 'user', parts: [], createdAt: 1 }], before);
    expect(more.messages.slice(0, before.messages.length).every((view, at) => view === before.messages[at])).toBe(true);
  });

  it('tells a call that may still get its result from one that will not', () => {
    const parts = [{ type: 'tool-call', callId: 'a', name: 'look', input: {}, executedBy: 'us' }] as const;
    const made: Message = { id: 'm', role: 'assistant', parts, createdAt: 0 };
    const callIn = (messages: readonly Message[]): unknown => threadView(messages).messages[0]?.items[0];
    expect(callIn([made])).toMatchObject({ call: { status: 'left' } });
    expect(callIn([made, { id: 'u', role: 'user', parts: [], createdAt: 1 }])).toMatchObject({
      call: { status: 'interrupted', result: { isError: true, code: 'tool_interrupted' } },
    });
  });

  it('survives messages in any order, with results of no call', async () => {
    const { messages } = await play([{ calls: [{ name: 'look' }, { name: 'script' }] }, { text: 'So.' }], -1, 'once');
    fc.assert(
      fc.property(fc.shuffledSubarray([...messages, ...messages]), (order) => {
        const ids = new Set(order.filter(({ role }) => role !== 'tool').map(({ id }) => id));
        expect(threadView(order).messages.map(({ id }) => id)).toEqual([...ids]);
      }),
      { numRuns: 100 },
    );
  });
});

it('a call that is written by a former name is shown as its tool’s, though its id changes meanwhile', () => {
  const envelope = (seq: number): Pick<RunEvent, 'runId' | 'seq' | 'time'> => ({ runId: 'r', seq, time: seq });
  const made = {
    type: 'tool-call',
    callId: 'a-2',
    name: 'change',
    calledAs: 'alter',
    input: {},
    executedBy: 'us',
  } as const;
  const live = [
    { type: 'run-start' } as const,
    { type: 'step-start', step: 1, model: { api: 'text', id: 'm' } } as const,
    { type: 'tool-input-start', callId: 'a', name: 'alter' } as const,
    made,
  ].reduce((before, event, seq) => foldRun(before, { ...event, ...envelope(seq) }), noRun);
  expect(live.messages.flatMap(({ items }) => items)).toMatchObject([
    { type: 'call', call: { callId: 'a-2', name: 'change', title: 'change' } },
  ]);
});

it.each([
  ['declined', 'tool_denied'],
  ['cancelled', 'tool_cancelled'],
  ['interrupted', 'tool_interrupted'],
  ['failed', 'tool_failed'],
  ['failed', undefined],
] as const)('a stored call is %s if its result has the code %s', (status, code) => {
  const call = { callId: 'a', name: 'look' };
  const result = { ...call, output: 'no', modelParts: [], isError: true, ...(code && { code }) } as const;
  const view = threadView([
    { id: 'm', role: 'assistant', parts: [{ type: 'tool-call', ...call, input: {}, executedBy: 'us' }], createdAt: 0 },
    { id: 'r', role: 'tool', parts: [{ type: 'tool-result', ...result }], createdAt: 0 },
  ]);
  expect(view.messages[0]?.items).toMatchObject([{ call: { status } }]);
});

it('calls that wait for a person or behind another call are not shown as running, and one that was denied not as failed', async () => {
  const thread = openThread(createRecords(memoryStorage()), 't');
  const script = [{ calls: [{ name: 'change' }, { name: 'look' }] }, { text: 'Well.' }];
  const played = run({ model: scriptedModel(script), toolset, thread, messages: 'Go.', policy: permissions('write') });
  const statuses = ({ messages }: { readonly messages: readonly MessageView[] }): readonly string[] =>
    messages.flatMap(({ items }) => items.flatMap((item) => (item.type === 'call' ? [item.call.status] : [])));
  let live = noRun;
  let asked: readonly string[] = [];
  for await (const event of played.events()) {
    live = foldRun(live, event);
    if (event.type !== 'approval-request') continue;
    asked = statuses(live);
    played.answer(event.questionId, 'deny');
  }
  expect(asked).toEqual(['asking', 'waiting']);
  expect(statuses(live)).toEqual(['declined', 'done']);
  expect(statuses(threadView(await messagesOf(thread)))).toEqual(['declined', 'done']);
});
