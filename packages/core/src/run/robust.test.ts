// Misbehaviour of models, tools, policies and threads, and its effect on a run.

import { afterEach, expect, it, vi } from 'vitest';
import { jsonSchema } from '../schema/json-schema.ts';
import { textOf } from '../model/message.ts';
import type { Message, ToolResultPart } from '../model/message.ts';
import { noUsage } from '../model/usage.ts';
import type { Model, ModelPart } from '../model/model.ts';
import { createRegistry } from '../tool/registry.ts';
import { emptySettings } from '../settings/settings.ts';
import { scriptedModel } from '../testing/index.ts';
import type { ScriptedModel, ScriptedTurn } from '../testing/index.ts';
import type { Thread } from '../thread/thread.ts';
import { memoryThread, telling } from '../test-kit/runs.ts';
import { defineTool } from '../tool/define.ts';
import { result as answer } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import type { RunEvent } from '../tool/run-event.ts';
import type { PolicyRequest } from './permission/policy.ts';
import { run } from './lazy-run.ts';
import type { Run, RunOptions } from './run.ts';

afterEach(() => void vi.useRealTimers());

const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

const ask = () => 'ask' as const;
const hang = (): Promise<never> => new Promise(() => undefined);
const finish = { type: 'finish', reason: 'stop', usage: noUsage } as const;

const modelOf = (parts: readonly ModelPart[]): Model => ({
  info: { api: 'text', id: 'm' },
  async *stream() {
    yield* parts;
  },
});

function play(
  script: readonly ScriptedTurn[] | Model,
  tools: readonly Tool[] = [],
  more: Partial<RunOptions> = {},
): Run & { readonly model: ScriptedModel } {
  const model = ('stream' in script ? script : scriptedModel(script)) as ScriptedModel;
  return {
    model,
    ...run({ model, toolset: resolveToolset(createRegistry(tools), emptySettings, {}), messages: 'Go.', ...more }),
  };
}

async function eventsOf({ events }: Run): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events()) seen.push(event);
  return seen;
}

async function until({ events }: Run, type: RunEvent['type']): Promise<RunEvent> {
  for await (const event of events()) if (event.type === type) return event;
  throw new Error(`no ${type}`);
}

const results = (messages: readonly Message[]): readonly ToolResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));
const outputs = (messages: readonly Message[]): readonly unknown[] => results(messages).map(({ output }) => output);

const two = {
  calls: [
    { name: 'rm', callId: 'x', input: { path: '/safe' } },
    { name: 'rm', callId: 'x', input: { path: '/etc' } },
  ],
};

it('two calls of one id are two calls: each is asked for, and only what is approved runs', async () => {
  const ran: unknown[] = [];
  const rm = tool('rm', { effects: 'destructive', execute: (input) => void ran.push(input) });
  const played = play([{ ...two, state: { ids: 'x' } }, {}], [rm], { policy: ask });
  for await (const event of played.events()) {
    if (event.type === 'approval-request')
      played.answer(event.questionId, event.input['path'] === '/safe' ? 'once' : 'deny');
  }
  const { messages } = await played.result;
  expect(ran).toEqual([{ path: '/safe' }]);
  expect(results(messages).map(({ callId, isError }) => [callId, isError])).toEqual([
    ['x', false],
    ['x-2', true],
  ]);
  expect(messages[1]?.origin).not.toHaveProperty('state'); // its ids are not those of the results
});

it.each([
  ['a finish without usage', [{ ...finish, usage: undefined as never }]],
  ['a part that nobody knows', [{ type: 'surprise' } as never, { type: 'text-delta', text: 'Hi' }, finish]],
  [
    'parts behind the finish',
    [{ type: 'text-delta', text: 'Hi' }, finish, { type: 'text-delta', text: ' late' }, finish],
  ],
] as const)('ends, in a named status, with a model that gives %s', async (_, parts) => {
  const { status, text } = await play(modelOf(parts as readonly ModelPart[])).result;
  expect(['complete', 'error']).toContain(status);
  expect(text).not.toContain('late');
});

it.each(['ends', 'breaks'])('reads a stream to its end behind the finish, and its connection %s', async (how) => {
  let isRead = false;
  const model: Model = {
    info: { api: 'text', id: 'm' },
    async *stream() {
      yield { type: 'text-delta', text: 'Hi' };
      yield finish;
      isRead = true;
      if (how === 'breaks') throw new Error('terminated');
    },
  };
  expect(await play(model).result).toMatchObject({ status: 'complete', text: 'Hi' });
  expect(isRead).toBe(true);
});

it('a model that throws before it streams ends the run with its error', async () => {
  const model: Model = {
    info: { api: 'text', id: 'm' },
    stream: () => {
      throw new Error('no such model');
    },
  };
  expect(await play(model).result).toMatchObject({
    status: 'error',
    error: { code: 'model_failed', message: 'no such model' },
  });
});

it.each(['claim', 'read', 'append'] as const)('an abort ends a run whose thread hangs at %s', async (method) => {
  vi.useFakeTimers();
  const thread: Thread = { ...memoryThread(), [method]: hang };
  const played = play([{ text: 'Hi' }], [], { thread });
  await vi.advanceTimersByTimeAsync(10);
  played.abort();
  played.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await played.result).status).toBe('aborted');
  expect(vi.getTimerCount()).toBe(0);
});

it('a run that is aborted before it begins asks no model and stores nothing', async () => {
  const thread = memoryThread();
  const played = play([{ text: 'Hi' }], [], { signal: AbortSignal.abort(), thread });
  expect(await played.result).toMatchObject({ status: 'aborted', messages: [] });
  expect([played.model.requests, thread.log]).toEqual([[], []]);
});

it('an abort keeps the received part of the turn, as incomplete', async () => {
  const played = play([{ reasoning: 'Hm.', text: 'So far', hangs: true }]);
  await until(played, 'text-delta');
  await until({ ...played, events: () => played.events(5) }, 'text-delta');
  played.abort();
  const { messages, text } = await played.result;
  expect(text).toBe('So far');
  expect(messages.at(-1)).toMatchObject({
    incomplete: true,
    parts: [{ type: 'reasoning', text: 'Hm.' }, { type: 'text' }],
  });
});

it('an abort says of each call whether it ran', async () => {
  const tools = [tool('read', { execute: hang }), tool('write', { effects: 'write' })];
  const played = play([{ calls: [{ name: 'read' }, { name: 'write' }] }], tools);
  await until(played, 'tool-start');
  played.abort();
  expect(outputs((await played.result).messages)).toEqual([
    'Tool "read" was cancelled. If it ends later, its result is discarded.',
    'Tool "write" was not run: the run was aborted.',
  ]);
});

it('an abort while a policy thinks keeps the text, and runs nothing', async () => {
  let ran = 0;
  const played = play([{ text: 'Let me.', calls: [{ name: 't' }] }], [tool('t', { execute: () => ran++ })], {
    policy: hang,
  });
  await until(played, 'step-end');
  await Promise.resolve();
  played.abort();
  const { status, messages } = await played.result;
  expect([status, ran]).toEqual(['aborted', 0]);
  expect(messages.map(({ parts }) => textOf(parts))).toContain('Let me.');
  expect(results(messages)[0]?.output).toBe('Tool "t" was not run: the run was aborted.');
});

it('takes a thousand calls of one turn, in order', async () => {
  const log: unknown[] = [];
  const write = tool('w', { effects: 'write', execute: (input) => void log.push((input as { n: number }).n) });
  const numbers = Array.from({ length: 1_000 }, (_, n) => n);
  await play([{ calls: numbers.map((n) => ({ name: 'w', input: { n } })) }, {}], [write]).result;
  expect(log).toEqual(numbers);
});

it.each([{ steps: Number.NaN }, { timeMs: -1 }, { tokens: '5' as never }, { toolOutput: Number.NaN }])(
  'refuses the limits %o',
  async (limits) => {
    const { status, error } = await play([{ text: 'Hi' }], [], { limits }).result;
    expect([status, error?.code]).toEqual(['error', 'invalid_limit']);
  },
);

it('takes Infinity for no limit, and 0 steps for an answer without tools', async () => {
  const limits = { steps: Infinity, timeMs: Infinity, tokens: Infinity, toolTimeMs: Infinity, toolOutput: Infinity };
  const slow = tool('slow', { execute: () => new Promise((resolve) => setTimeout(resolve, 5, 'done')) });
  const { status, messages } = await play([{ calls: [{ name: 'slow' }] }, {}], [slow], { limits }).result;
  expect([status, outputs(messages)]).toEqual(['complete', ['done']]);
  expect(await play([{ text: 'Well.' }], [slow], { limits: { steps: 0 } }).result).toMatchObject({
    status: 'limit',
    text: 'Well.',
  });
});

it('gives the last turn when the time is over while a policy thinks, and asks nothing after it', async () => {
  vi.useFakeTimers();
  let decide: (decision: 'ask') => void = () => undefined;
  const policy = (): Promise<'ask'> => new Promise((resolve) => (decide = resolve));
  const played = play([{ calls: [{ name: 'a' }, { name: 'nope' }] }, { text: 'Out of time.' }], [tool('a')], {
    policy,
    limits: { timeMs: 10 },
  });
  await vi.advanceTimersByTimeAsync(20);
  decide('ask');
  await vi.advanceTimersByTimeAsync(1);
  const { status, limit, text, messages } = await played.result;
  expect([status, limit, text]).toEqual(['limit', 'time', 'Out of time.']);
  expect(outputs(messages)).toEqual(['Tool "a" was not run: the time of the run is over.', 'Unknown tool: nope']);
  expect((await eventsOf(played)).map(({ type }) => type)).not.toContain('approval-request');
});

it('a question that time has settled takes no answer any more, and neither does a run that is over', async () => {
  vi.useFakeTimers();
  const played = play([{ calls: [{ name: 'a' }] }, { text: 'Out of time.' }], [tool('a')], {
    policy: ask,
    questions: { expireAfterMs: 10 },
  });
  await vi.advanceTimersByTimeAsync(20);
  const asked = (await until(played, 'approval-request')) as { questionId: string };
  const { questionId } = asked;
  expect(() => played.answer(questionId, 'deny')).toThrow(`Question "${questionId}" is not open`);
  const ends = (await eventsOf(played)).filter(({ type }) => type === 'tool-end');
  expect(ends).toHaveLength(1);
  expect(() => played.answer(questionId, 'once')).toThrow('is not open');
});

it('ends when the time of its last turn is over too', async () => {
  vi.useFakeTimers();
  const played = play([{ text: 'Hm', hangs: true }], [], { limits: { timeMs: 10 } });
  await vi.advanceTimersByTimeAsync(30_020);
  expect(await played.result).toMatchObject({ status: 'limit', limit: 'time' });
  expect(vi.getTimerCount()).toBe(0);
});

it('a limit that was reached first is the one that is named', async () => {
  vi.useFakeTimers();
  const played = play([{ calls: [{ name: 'a' }] }, { text: 'Hm', hangs: true }], [tool('a')], {
    limits: { steps: 1, timeMs: 10 },
  });
  await vi.advanceTimersByTimeAsync(30_020);
  expect(await played.result).toMatchObject({ status: 'limit', limit: 'steps' });
});

it('a last turn that is refused or fails says so', async () => {
  const calling: ScriptedTurn = { calls: [{ name: 'a' }] };
  const last = (turn: ScriptedTurn) => play([calling, turn], [tool('a')], { limits: { steps: 1 } }).result;
  expect(await last({ reason: 'refusal' })).toMatchObject({ status: 'refused', error: { code: 'model_refused' } });
  expect(await last({ reason: 'error' })).toMatchObject({ status: 'error' });
});

it('stop() in the middle of a turn lets it finish, and asks for no other', async () => {
  for (const [turn, status] of [
    [{ text: 'One', calls: [{ name: 'a' }] }, 'stopped'],
    [{ text: 'One', reason: 'pause' }, 'stopped'],
    [{ text: 'One' }, 'complete'],
  ] as const) {
    const played = play([turn], [tool('a')]);
    await until(played, 'text-delta');
    played.stop();
    expect((await played.result).status).toBe(status);
  }
});

it('a stop while only the client’s answer is missing ends with it', async () => {
  const { execute: _, ...pick } = tool('pick');
  const played = play([{ calls: [{ name: 'pick' }] }], [pick]);
  await until(played, 'input-request');
  played.stop();
  expect((await played.result).status).toBe('needs-input');
});

it('if nobody can answer, a tool of the client’s is denied', async () => {
  const { execute: _, ...pick } = tool('pick');
  const { status, messages } = await play([{ calls: [{ name: 'pick' }] }, {}], [pick], { interactive: false }).result;
  expect([status, outputs(messages)]).toEqual([
    'complete',
    [
      "Permission is required to run tool 'pick', but this frontend cannot ask the user. The call was denied by policy.",
    ],
  ]);
});

it('results of a client are bounded like those of a tool', async () => {
  const { execute: _, ...pick } = tool('pick', { render: { user: () => ({ card: 1 }) } });
  const played = play([{ calls: [{ name: 'pick' }] }, {}], [pick], { limits: { toolOutput: 100 } });
  const { questionId } = (await until(played, 'input-request')) as { questionId: string };
  played.answer(questionId, { output: 'x'.repeat(5_000) });
  const [part] = results((await played.result).messages);
  expect(textOf(part?.modelParts ?? []).length).toBeLessThan(250);
  expect(part).toMatchObject({ output: 'x'.repeat(5_000), userView: { card: 1 } });
});

it('a tool changes neither the history nor its options by changing what it was given', async () => {
  const greedy = tool('greedy', {
    execute: (input) => {
      Object.assign(input as object, { self: input, path: '/etc' });
      return 1;
    },
  });
  const played = play([{ calls: [{ name: 'greedy', input: { path: '/safe' } }] }, { text: 'ok' }], [greedy]);
  const { messages } = await played.result;
  expect(messages[1]?.parts[0]).toMatchObject({ input: { path: '/safe' } });
  JSON.stringify(played.model.requests[1]);
});

it('a result is stored before it is reported', async () => {
  const order: string[] = [];
  const thread = telling(memoryThread(), ({ role }) => order.push(`stored ${role}`));
  const played = play([{ calls: [{ name: 'a' }] }, {}], [tool('a')], { thread });
  for await (const { type } of played.events()) if (type === 'tool-end') order.push('told');
  expect(order.indexOf('told')).toBe(order.indexOf('stored tool') + 1);
});

it('says when a tool returns after its time, while the run goes on', async () => {
  let end: (value: string) => void = () => undefined;
  const deaf = tool('deaf', { timeoutMs: 5, execute: () => new Promise((resolve) => (end = resolve)) });
  const played = play([{ calls: [{ name: 'deaf' }] }, { text: 'Hm', hangs: true }], [deaf]);
  await until(played, 'tool-end');
  end('too late');
  expect(await until(played, 'tool-late')).toMatchObject({ callId: 'call-1', name: 'deaf' });
  played.abort();
  expect(JSON.stringify((await played.result).messages)).not.toContain('too late');
});

it('tells a policy everything that it may decide by', async () => {
  const seen: PolicyRequest[] = [];
  const policy = (request: PolicyRequest): 'allow' => (seen.push(request), 'allow');
  const fetching = tool('fetch', {
    effects: 'write',
    openWorld: true,
    idempotent: true,
    render: { title: 'Fetch {url}' },
  });
  await play([{ calls: [{ name: 'fetch', input: { url: 'x' } }] }, {}], [fetching], { policy }).result;
  const toolFingerprint = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
  expect(seen).toEqual([
    {
      callId: 'call-1',
      projectId: 'default',
      name: 'fetch',
      input: { url: 'x' },
      title: 'Fetch x',
      effects: 'write',
      openWorld: true,
      idempotent: true,
      toolFingerprint,
      tainted: false,
    },
  ]);
});

it('drops the calls of a model while it must not make any', async () => {
  let ran = 0;
  const played = play([{ text: 'Hm.', calls: [{ name: 'a' }] }], [tool('a', { execute: () => ran++ })], {
    toolChoice: 'none',
  });
  expect(await played.result).toMatchObject({ status: 'complete', text: 'Hm.' });
  expect(ran).toBe(0);
  const paused = play([{ reason: 'pause' }, { text: 'end' }], [tool('a')], { toolChoice: 'none' });
  await paused.result;
  expect(paused.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['none', 'none']);
});

it('passes settings of every request, and the tool choice `auto` if there are no tools', async () => {
  const more = { maxOutputTokens: 5, reasoning: 'low', parallel: false, providerOptions: { seed: 1 } } as const;
  const played = play([{ text: 'Hi' }], [], { ...more, toolChoice: 'required' });
  await played.result;
  expect(played.model.requests[0]).toMatchObject({ ...more, toolChoice: 'auto', tools: [] });
});

it.each([-1, Number.NaN, 0])('reads events from %d as from the first', async (from) => {
  const played = play([{ text: 'Hi' }]);
  for await (const event of played.events(from)) {
    expect(event.type).toBe('run-start');
    break;
  }
});

it('reports a prompt that failed, and goes on', async () => {
  const broken = tool('p', {
    prompt: () => {
      throw new Error('no prompt');
    },
  });
  const played = play([{ text: 'Hi' }], [broken]);
  expect((await played.result).status).toBe('complete');
  expect(await until(played, 'error')).toMatchObject({
    error: { code: 'tool_failed', message: 'The prompt of tool "p" failed and was left out: no prompt' },
  });
});

it('leaves no listener on an outer signal, and no timer, however runs end', async () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  let listeners = 0;
  const add = vi.spyOn(controller.signal, 'addEventListener').mockImplementation(() => void listeners++);
  const remove = vi.spyOn(controller.signal, 'removeEventListener').mockImplementation(() => void listeners--);
  const more = { signal: controller.signal, limits: { timeMs: 60_000 } };
  const endings = [
    play([{ calls: [{ name: 'a' }] }, { text: 'end' }], [tool('a')], more),
    play([{ breaks: new Error('x') }], [], more),
    play(
      [{ calls: [{ name: 'a' }] }],
      [tool('a', { execute: () => answer({ output: 1, control: { end: { value: 1 } } }) })],
      more,
    ),
    play([{ hangs: true }], [], more),
  ];
  await vi.advanceTimersByTimeAsync(1);
  endings.at(-1)?.abort();
  await Promise.all(endings.map(({ result }) => result));
  expect([add.mock.calls.length, remove.mock.calls.length, listeners, vi.getTimerCount()]).toEqual([4, 4, 0, 0]);
});

it('gives each turn a signal of its own, which neither later turns nor the end of the run touch', async () => {
  const script = scriptedModel([{ calls: [{ name: 'a' }] }, { calls: [{ name: 'a' }] }, {}]);
  const signals: AbortSignal[] = [];
  const stream: Model['stream'] = (request, { signal }) => {
    signals.push(signal);
    return script.stream(request, { signal });
  };
  const { status } = await play({ info: script.info, stream }, [tool('a')]).result;
  expect([status, new Set(signals).size, signals.some(({ aborted }) => aborted)]).toEqual(['complete', 3, false]);
});

it('makes a signal only for the tool that asks for one, whenever it asks', async () => {
  const signals: (() => AbortSignal)[] = [];
  const asks = tool('asks', {
    execute: (_input, _options, context) => {
      signals.push(() => context.signal);
      return Object.keys(context).includes('signal');
    },
  });
  const never = tool('never', {
    execute: (_input, _options, context) => {
      signals.push(() => context.signal);
      return new Promise(() => {});
    },
    timeoutMs: 5,
  });
  const { messages } = await play([{ calls: [{ name: 'asks' }, { name: 'never' }] }, {}], [asks, never]).result;
  expect(outputs(messages)).toEqual([true, 'Tool execution timed out after 5ms']);
  expect(signals.map((signal) => signal().aborted)).toEqual([false, true]);
});

it('a thousand runs at once all end, each with its own results', async () => {
  const echo = tool('echo', { execute: (input) => (input as { n: number }).n });
  const runs = Array.from({ length: 1_000 }, (_, n) =>
    play([{ calls: [{ name: 'echo', input: { n } }] }, { text: `${n}` }], [echo]),
  );
  const ended = await Promise.all(runs.map(({ result }) => result));
  expect(ended.map(({ text, messages }) => [text, outputs(messages)])).toEqual(runs.map((_, n) => [`${n}`, [n]]));
});

it('does not wait for a stream that has said that it is over, and stays open', async () => {
  vi.useFakeTimers();
  const open: Model = {
    info: { api: 'text', id: 'm' },
    async *stream(_request, { signal }) {
      yield { type: 'text-delta', text: 'Done.' };
      yield finish;
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  const played = play(open);
  await vi.advanceTimersByTimeAsync(2_000);
  const { status, text } = await played.result;
  expect([status, text]).toEqual(['complete', 'Done.']);
});
