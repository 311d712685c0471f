import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { UtensilError } from '../base/errors.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import { textOf } from '../model/message.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../model/message.ts';
import { option } from '../tool/option.ts';
import { createRegistry } from '../tool/registry.ts';
import { emptySettings, withEnabled } from '../settings/settings.ts';
import { scriptedModel } from '../testing/index.ts';
import { gate, memoryThread, telling, until } from '../test-kit/runs.ts';
import type { ScriptedTurn } from '../testing/index.ts';
import { defineTool } from '../tool/define.ts';
import { result as answer } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import type { RunEvent } from '../tool/run-event.ts';
import { permissions } from './permission/policy.ts';
import { run } from './lazy-run.ts';
import type { Run, RunOptions } from './run.ts';

afterEach(() => void vi.useRealTimers());

const anything = jsonSchema({ type: 'object' });
const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({ name, description: name, input: anything, effects: 'read', execute: () => name, ...more });

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: z.toJSONSchema(z.object({ a: z.number(), b: z.number() })),
  effects: 'read',
  execute: ({ a, b }) => a + b,
});

/** A run of a script with these tools. */
function play(
  script: readonly ScriptedTurn[],
  tools: readonly Tool[] = [],
  more: Partial<RunOptions> = {},
): Run & { readonly model: ReturnType<typeof scriptedModel> } {
  const model = scriptedModel(script);
  const toolset = resolveToolset(createRegistry(tools), emptySettings, {});
  return { model, ...run({ model, toolset, messages: 'Go.', ...more }) };
}

async function eventsOf({ events }: Run): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events()) seen.push(event);
  return seen;
}

const results = (messages: readonly Message[]): readonly ToolResultPart[] =>
  messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'));

it('[S2-11] runs the tools that the model calls, and gives their results back as messages', async () => {
  const played = play(
    [{ text: 'Let me add.', calls: [{ name: 'add', input: { a: 1, b: 2 } }] }, { text: 'It is 3.' }],
    [add],
  );
  const { result, model } = played;
  expect(await result).toMatchObject({ status: 'complete', text: 'It is 3.', steps: 2 });
  const events = await eventsOf(played);
  expect(events.map(({ type }) => type).join(' ')).toBe(
    'run-start message step-start text-delta text-delta tool-input-start tool-input-delta tool-call tool-start step-end message tool-end message message step-start text-delta text-delta step-end message run-end',
  );
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  model.assertComplete();
});

it('several readers see the same events, from any point', async () => {
  const played = play([{ text: 'Hi' }]);
  const [all, again] = await Promise.all([eventsOf(played), eventsOf(played)]);
  expect(again).toEqual(all);
  const rest: RunEvent[] = [];
  for await (const event of played.events(3)) rest.push(event);
  expect(rest).toEqual(all.slice(3));
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

it.each<[fault: string, call: { name: string; input?: string }, text: string]>([
  ['an unknown tool', { name: 'nope' }, 'Unknown tool: nope'],
  [
    'bad arguments',
    { name: 'add', input: '{"a":"x"}' },
    'Invalid input for tool "add":\n- a: expected a number, got the string "x"\n- b: required, expected a number',
  ],
  ['arguments that are no JSON', { name: 'add', input: '{"a":' }, 'Failed to parse JSON arguments: '],
  ['a throw', { name: 'throws' }, 'Tool execution failed: no luck'],
  ['a BigInt', { name: 'bigint' }, '10'],
  ['a cycle', { name: 'cycle' }, '{"self":"[Circular]"}'],
  ['undefined', { name: 'nothing' }, '(no output)'],
])('[S0-05] [S2-10] goes on after %s, and tells the model', async (_, call, text) => {
  const tools = [
    add,
    tool('throws', {
      execute: () => {
        throw new Error('no luck');
      },
    }),
    tool('bigint', { execute: () => 10n }),
    tool('cycle', { execute: () => cyclic }),
    tool('nothing', { execute: () => undefined }),
  ];
  const { result, model } = play([{ calls: [call] }, { text: 'Sorry.' }], tools);
  const { status, messages } = await result;
  expect(status).toBe('complete');
  const [part] = results(messages);
  expect(textOf(part?.modelParts ?? [])).toContain(text);
  expect(model.requests[1]?.messages.at(-1)).toBe(messages.at(-2));
});

it('[S2-05] keeps repaired arguments in history, and what was repaired', async () => {
  const played = play([{ calls: [{ name: 'add', input: { a: '1', b: 2 } }] }, {}], [add]);
  const { messages } = await played.result;
  expect(messages[1]?.parts[0]).toMatchObject({ input: { a: 1, b: 2 }, repairs: ['a: text read as a number'] });
  expect(results(messages)[0]?.output).toBe(3);
});

it("[S2-03] replaces a call's input by the tool's rewritten input, in history and in the thread", async () => {
  const format = tool('format', {
    effects: 'write', // else both are stored at once
    execute: () => answer({ output: 'ok', input: { text: 'nice' } }),
  });
  const thread = memoryThread();
  const played = play([{ calls: [{ name: 'format', input: { text: 'raw' } }] }, {}], [format], { thread });
  const { messages } = await played.result;
  expect(messages[1]?.parts[0]).toMatchObject({ input: { text: 'nice' } });
  expect(played.model.requests[1]?.messages[1]).toBe(messages[1]);
  const stored = thread.log.filter(({ id }) => id === messages[1]?.id);
  expect(stored.map(({ parts }) => (parts[0] as ToolCallPart).input)).toEqual([{ text: 'raw' }, { text: 'nice' }]);
});

it('[S0-03] lets a tool end the run with a value, once the calls of its turn are done', async () => {
  const finish = tool('finish', { execute: () => answer({ output: 'bye', control: { end: { value: { n: 7 } } } }) });
  const played = play([{ calls: [{ name: 'finish' }, { name: 'other' }] }], [finish, tool('other')]);
  const { status, value, messages } = await played.result;
  expect([status, value]).toEqual(['complete', { n: 7 }]);
  expect(results(messages).map(({ output }) => output)).toEqual(['bye', 'other']);
});

it('[S0-14] stores the current title and icon with a call', async () => {
  const titled = tool('t', {
    ui: { icon: '🔧' },
    render: { title: 'Look at {what}', user: () => 'card', status: () => 'fine' },
  });
  const { messages } = await play([{ calls: [{ name: 't', input: { what: 'this' } }] }, {}], [titled]).result;
  expect(messages[1]?.parts[0]).toMatchObject({ title: 'Look at this', icon: '🔧' });
  expect(results(messages)[0]).toMatchObject({ userView: 'card', status: 'fine' });
});

it('runs reads together, and a call that changes something alone and in order', async () => {
  const log: string[] = [];
  const second = gate();
  const pause = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 1));
  const slow = (name: string, effects: 'read' | 'write', wait: () => PromiseLike<unknown> = pause): Tool =>
    tool(name, {
      effects,
      execute: async () => {
        log.push(`${name}+`);
        await wait();
        log.push(`${name}-`);
        if (name === 'r2') second.open();
        return name;
      },
    });
  const tools = [
    slow('r1', 'read', () => second),
    slow('r2', 'read'),
    slow('w1', 'write'),
    slow('w2', 'write'),
    slow('r3', 'read'),
  ];
  const played = play([{ calls: tools.map(({ name }) => ({ name })) }, {}], tools);
  const { messages } = await played.result;
  expect(log.join(' ')).toBe('r1+ r2+ r2- r1- w1+ w1- w2+ w2- r3+ r3-');
  expect(results(messages).map(({ output }) => output)).toEqual(['r1', 'r2', 'w1', 'w2', 'r3']);
});

it('gives the model one last turn without tools at the limit of steps', async () => {
  const calling: ScriptedTurn = { calls: [{ name: 'add', input: { a: 1, b: 1 } }] };
  const played = play([calling, calling, { text: 'So far: 2.' }], [add], { limits: { steps: 2 } });
  expect(await played.result).toMatchObject({ status: 'limit', limit: 'steps', text: 'So far: 2.', steps: 3 });
  const last = played.model.requests[2];
  expect(last).toMatchObject({ toolChoice: 'none' });
  expect(last?.tools).toBe(played.model.requests[0]?.tools);
  expect(textOf(last?.messages.at(-1)?.parts ?? [])).toBe(
    'The limit of steps is reached. No more tools can be called. Answer now with the results so far, and say what is left undone.',
  );
});

it('ignores calls that a model makes in its last turn', async () => {
  const calling: ScriptedTurn = { text: 'Hm.', calls: [{ name: 'add', input: { a: 1, b: 1 } }], state: { secret: 1 } };
  const { messages, text } = await play([calling, calling], [add], { limits: { steps: 1 } }).result;
  expect(text).toBe('Hm.');
  expect(messages.at(-1)?.parts).toEqual([{ type: 'text', text: 'Hm.' }]);
  expect(messages.at(-1)?.origin).not.toHaveProperty('state');
});

it('ends at the limit of tokens', async () => {
  const played = play(
    [
      { calls: [{ name: 'add', input: { a: 1, b: 1 } }], usage: { inputTokens: 90, outputTokens: 20 } },
      { text: 'Enough.' },
    ],
    [add],
    {
      limits: { tokens: 100 },
    },
  );
  expect(await played.result).toMatchObject({
    status: 'limit',
    limit: 'tokens',
    text: 'Enough.',
    usage: { inputTokens: 90, outputTokens: 20 },
  });
});

it('cancels deaf tools when the time is over, and still answers', async () => {
  vi.useFakeTimers();
  const deaf = tool('deaf', { execute: () => new Promise(() => undefined) });
  const played = play(
    [{ calls: [{ name: 'deaf' }, { name: 'w' }] }, { text: 'Out of time.' }],
    [deaf, tool('w', { effects: 'write' })],
    { limits: { timeMs: 20 } },
  );
  await until(played, 'tool-start');
  await vi.advanceTimersByTimeAsync(20);
  const { status, limit, text, messages } = await played.result;
  expect([status, limit, text]).toEqual(['limit', 'time', 'Out of time.']);
  expect(results(messages).map(({ output }) => output)).toEqual([
    'Tool "deaf" was cancelled. If it ends later, its result is discarded.',
    'Tool "w" was not run: the time of the run is over.',
  ]);
});

it('[D3-09] aborts at once though a tool ignores its signal; the history stays valid', async () => {
  const thread = memoryThread();
  let late: (value: unknown) => void = () => undefined;
  const deaf = tool('deaf', { execute: () => new Promise((resolve) => (late = resolve)) });
  const played = play(
    [{ text: 'Wait.', calls: [{ name: 'add', input: { a: 1, b: 2 } }, { name: 'deaf' }] }],
    [add, deaf],
    { thread },
  );
  const awaited = new Set(['tool-start deaf', 'tool-end add']); // each may come first
  for await (const event of played.events()) {
    if ('name' in event) awaited.delete(`${event.type} ${event.name}`);
    if (awaited.size === 0) break;
  }
  played.abort();
  const { status, messages } = await played.result;
  late('too late');
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(status).toBe('aborted');
  expect(results(messages).map(({ output }) => output)).toEqual([
    3,
    'Tool "deaf" was cancelled. If it ends later, its result is discarded.',
  ]);
  expect(JSON.stringify(thread.log)).not.toContain('too late');
  expect((await eventsOf(played)).at(-1)).toMatchObject({ type: 'run-end', status: 'aborted' });
});

it.each(['before it begins', 'while the model hangs'])('takes an outer signal that fires %s', async (when) => {
  const controller = new AbortController();
  if (when === 'before it begins') controller.abort();
  const played = play([{ text: 'So', hangs: true }], [], { signal: controller.signal });
  if (!controller.signal.aborted) {
    for await (const event of played.events()) if (event.type === 'text-delta') break;
    controller.abort();
  }
  expect((await played.result).status).toBe('aborted');
});

it('leaves a model behind that ignores the signal', async () => {
  const model = {
    info: { api: 'text', id: 'deaf' },
    stream: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
  };
  const played = run({ model, toolset: resolveToolset(createRegistry(), emptySettings, {}), messages: 'Go.' });
  played.abort();
  expect((await played.result).status).toBe('aborted');
});

it('stop() lets the calls under way finish', async () => {
  const played = play([{ calls: [{ name: 'add', input: { a: 1, b: 2 } }] }], [add]);
  for await (const event of played.events()) if (event.type === 'tool-start') break;
  played.stop();
  const { status, messages } = await played.result;
  expect(status).toBe('stopped');
  expect(results(messages)[0]?.output).toBe(3);
});

const save = tool('save', { effects: 'write', render: { title: 'Save {path}' } });

it('asks before writes, and runs what is approved', async () => {
  const played = play(
    [
      {
        calls: [
          { name: 'save', input: { path: '/a' } },
          { name: 'add', input: { a: 1, b: 1 } },
        ],
      },
      {},
    ],
    [save, add],
    { policy: permissions('write') },
  );
  for await (const event of played.events()) {
    if (event.type !== 'approval-request') continue;
    expect(event).toMatchObject({ name: 'save', title: 'Save /a', effects: 'write', input: { path: '/a' } });
    played.answer(event.questionId, 'once');
    expect(() => played.answer(event.questionId, 'once')).toThrow(UtensilError);
  }
  const { status, messages } = await played.result;
  expect(status).toBe('complete');
  expect(results(messages).map(({ output }) => output)).toEqual(['save', 2]);
});

it.each([
  [
    'the user says no',
    { policy: permissions('write') },
    'user',
    "The user denied permission to run tool 'save'. Do not simply retry; ask the user how to proceed or try a different approach.",
  ],
  [
    'nobody can be asked',
    { policy: permissions('write'), interactive: false },
    'nobody',
    "Permission is required to run tool 'save', but this frontend cannot ask the user. The call was denied by policy.",
  ],
  [
    'the policy says no',
    { policy: () => 'deny' as const },
    'policy',
    "The call of tool 'save' was denied by policy. Do not retry it.",
  ],
  [
    'the policy gives a reason',
    { policy: () => ({ deny: 'read-only project' }) },
    'policy',
    "The call of tool 'save' was denied by policy: read-only project. Do not retry it.",
  ],
  [
    'the policy gives a reason in a sentence',
    { policy: () => ({ deny: 'Nothing is saved here.' }) },
    'policy',
    "The call of tool 'save' was denied by policy: Nothing is saved here. Do not retry it.",
  ],
  [
    'the policy throws',
    { policy: () => Promise.reject(new Error('db down')) },
    'policy',
    "The call of tool 'save' was denied by policy: the policy failed: db down. Do not retry it.",
  ],
])('refuses a call when %s, tells the model, and stores who declined it', async (_, more, deniedBy, text) => {
  let ran = 0;
  const played = play(
    [{ calls: [{ name: 'save' }] }, {}],
    [tool('save', { effects: 'write', execute: () => ran++ })],
    more,
  );
  for await (const event of played.events())
    if (event.type === 'approval-request') played.answer(event.questionId, 'deny');
  const { status, messages } = await played.result;
  expect(status).toBe('complete');
  expect(results(messages)[0]).toMatchObject({ output: text, isError: true, code: 'tool_denied', deniedBy });
  expect(ran).toBe(0);
});

it('a stop while only a question is open ends the run with it', async () => {
  const played = play([{ calls: [{ name: 'save' }] }], [save], { policy: permissions('write') });
  for await (const event of played.events()) if (event.type === 'approval-request') break;
  played.stop();
  expect((await played.result).status).toBe('needs-approval');
});

it('lets the client answer a tool that has no execute', async () => {
  const { execute: _, ...pick } = tool('pick', { title: 'Pick a colour' });
  const played = play([{ calls: [{ name: 'pick' }] }, {}], [pick]);
  for await (const event of played.events()) {
    if (event.type !== 'input-request') continue;
    expect(() => played.answer(event.questionId, 'once')).toThrow("answer { output }, 'deny'; got 'once'");
    played.answer(event.questionId, { output: { colour: 'red' } });
  }
  expect(results((await played.result).messages)[0]).toMatchObject({
    output: { colour: 'red' },
    modelParts: [{ text: '{"colour":"red"}' }],
  });
});

it.each<[name: string, turn: ScriptedTurn, expected: object]>([
  [
    'a refusal',
    { text: 'No.', reason: 'refusal', detail: 'It is about X.' },
    { status: 'refused', error: { message: 'It is about X.' } },
  ],
  ['a content filter', { reason: 'content-filter' }, { status: 'refused' }],
  [
    'an answer cut at the output limit',
    { text: 'And then', reason: 'length' },
    { status: 'limit', limit: 'output-tokens', text: 'And then' },
  ],
  [
    'an error of the model',
    { reason: 'error', detail: 'Broken.' },
    { status: 'error', error: { code: 'model_failed', message: 'Broken.' } },
  ],
  [
    'a stream that just stops',
    { text: 'Half', breaks: 'truncated' },
    { status: 'error', text: 'Half', error: { code: 'stream_truncated' } },
  ],
  [
    'a stream that breaks',
    { text: 'Half', breaks: new UtensilError('model_overloaded', 'Too busy: try later.') },
    { status: 'error', text: 'Half', error: { code: 'model_overloaded', message: 'Too busy: try later.' } },
  ],
  [
    'a stream that breaks at once',
    { breaks: new Error('socket hang up') },
    { status: 'error', text: '', error: { code: 'model_failed', message: 'socket hang up' } },
  ],
])('[S0-15] [S3-25] ends with %s as its own status and code, and keeps what came', async (_, turn, expected) => {
  const thread = memoryThread();
  const played = play([turn], [], { thread, limits: { retries: 0 } });
  const ended = await played.result;
  expect(ended).toMatchObject(expected);
  expect(ended.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(thread.log.map(({ id }) => id)).toEqual(ended.messages.map(({ id }) => id));
});

it('marks the partial answer of a broken stream as incomplete, and runs none of its calls', async () => {
  const limits = { retries: 0 };
  const played = play([{ text: 'Half', breaks: 'truncated', calls: [{ name: 'save' }] }], [save], { limits });
  const { messages } = await played.result;
  expect(messages.at(-1)).toMatchObject({ incomplete: true, parts: [{ type: 'text', text: 'Half' }] });
});

it('answers a truncated call, runs the complete ones, and asks the model again; at most twice', async () => {
  const cut: ScriptedTurn = {
    calls: [
      { name: 'add', input: { a: 1, b: 2 } },
      { name: 'save', input: '{"text":"long' },
    ],
    reason: 'length',
  };
  const { messages, status } = await play([cut, { text: 'Done.' }], [add, save]).result;
  expect(status).toBe('complete');
  expect(results(messages).map(({ output }) => output)).toEqual([
    3,
    'This call was truncated at the output limit and was not run. Send it again in smaller parts.',
  ]);
  expect(await play([cut, cut], [add, save]).result).toMatchObject({ status: 'limit', limit: 'output-tokens' });
});

it('continues after a pause', async () => {
  const played = play([{ text: 'Searching…', reason: 'pause' }, { text: 'Found.' }]);
  expect(await played.result).toMatchObject({ status: 'complete', text: 'Found.', steps: 2 });
});

it('decides by the calls that a turn is a tool turn, never by the reason', async () => {
  const played = play(
    [
      { calls: [{ name: 'add', input: { a: 1, b: 2 } }], reason: 'stop' },
      { text: '3', reason: 'tool-calls' },
    ],
    [add],
  );
  expect(await played.result).toMatchObject({ status: 'complete', text: '3', steps: 2 });
});

it('leaves calls alone that the provider runs itself', async () => {
  const model = {
    info: { api: 'text', id: 'm' },
    async *stream() {
      yield { type: 'tool-call', callId: 's1', name: 'web_search', input: {}, executedBy: 'provider' } as const;
      yield { type: 'text-delta', text: 'Found.' } as const;
      yield {
        type: 'finish',
        reason: 'stop',
        usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      } as const;
    },
  };
  const { status, messages } = await run({
    model,
    toolset: resolveToolset(createRegistry(), emptySettings, {}),
    messages: 'Go.',
  }).result;
  expect(status).toBe('complete');
  expect(results(messages)).toEqual([]);
});

it('forces a call once, and lets the model answer after it', async () => {
  const played = play([{ calls: [{ name: 'add', input: { a: 1, b: 2 } }] }, {}], [add], { toolChoice: 'required' });
  await played.result;
  expect(played.model.requests.map(({ toolChoice }) => toolChoice)).toEqual(['required', 'auto']);
});

it('puts instructions first, then the tools’ prompts, the same for every turn', async () => {
  let asked = 0;
  const prompting = tool('p', { prompt: () => `Prompt ${++asked}.` });
  const played = play([{ calls: [{ name: 'p' }] }, {}], [prompting], { instructions: 'Be brief.' });
  await played.result;
  expect(played.model.requests.map(({ system }) => system)).toEqual([
    'Be brief.\n\nPrompt 1.',
    'Be brief.\n\nPrompt 1.',
  ]);
});

it('[S0-06] changes of the registry and of settings take effect with the next run, not in the one under way', async () => {
  const registry = createRegistry([tool('a', { options: { x: option.text({ label: 'X', default: '' }) } })]);
  const model = scriptedModel([{ calls: [{ name: 'a' }] }, { text: 'done' }, { text: 'again' }]);
  const first = run({ model, toolset: resolveToolset(registry, emptySettings, {}), messages: '1' });
  registry.register(tool('b'));
  const settings = withEnabled(emptySettings, registry.get('a') as Tool, false);
  await first.result;
  await run({ model, toolset: resolveToolset(registry, settings, {}), messages: '2' }).result;
  expect(model.requests.map(({ tools }) => tools.map(({ name }) => name).join())).toEqual(['a', 'a', 'b']);
});

it('stores each message before its effect: a call that changes something before it runs, the result before the next turn', async () => {
  const thread = memoryThread();
  const order: string[] = [];
  const watched = telling(thread, ({ role }) => order.push(role));
  const spy = tool('spy', { effects: 'write', execute: () => void order.push('execute') });
  await play([{ calls: [{ name: 'spy' }] }, { text: 'end' }], [spy], { thread: watched, eager: false }).result;
  expect(order).toEqual(['user', 'assistant', 'execute', 'tool', 'assistant']);
  order.length = 0;
  const look = tool('look', { execute: () => void order.push('execute') });
  await play([{ calls: [{ name: 'look' }] }, { text: 'end' }], [look], { thread: watched }).result;
  expect(order).toEqual(['user', 'execute', 'assistant', 'tool', 'assistant']); // a read waits for no disk
});

it('begins with the thread’s history, repaired if it was interrupted', async () => {
  const call: ToolCallPart = { type: 'tool-call', callId: 'c9', name: 'save', input: {}, executedBy: 'us' };
  const before: Message[] = [
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Save it.' }], createdAt: 1 },
    { id: '2', role: 'assistant', parts: [call], createdAt: 2 },
  ];
  const played = play([{ text: 'Saved?' }], [], { thread: memoryThread(before), messages: 'Well?' });
  const { messages } = await played.result;
  expect(played.model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
});

it.each(['claim', 'read', 'append'] as const)('ends with a clear error when the thread fails at %s', async (method) => {
  const full = (): Promise<never> =>
    Promise.reject(new UtensilError('ENOSPC', 'ENOSPC: no space left: free some, then try again.'));
  const played = play([{ text: 'Hi' }], [], { thread: { ...memoryThread(), [method]: full } });
  expect(await played.result).toMatchObject({
    status: 'error',
    error: { code: 'ENOSPC', message: 'ENOSPC: no space left: free some, then try again.' },
  });
  expect((await eventsOf(played)).at(-1)).toMatchObject({ type: 'run-end', status: 'error' });
});

it.each([
  [1, 0],
  [2, 1],
  [3, 1], // a turn that only reads is stored with its results, or not at all
  [4, 3],
])('ends with a clear error when the disk is full at message %i', async (nth, stored) => {
  let count = 0;
  const thread = memoryThread();
  const filling = telling(thread, () => {
    if (++count >= nth) throw new UtensilError('ENOSPC', 'ENOSPC: full');
  });
  const played = play([{ calls: [{ name: 'add', input: { a: 1, b: 2 } }] }, { text: 'end' }], [add], {
    thread: filling,
  });
  expect(await played.result).toMatchObject({ status: 'error', error: { code: 'ENOSPC' } });
  expect(thread.log).toHaveLength(stored);
});

it('[A2-10] gives the same bytes for the same run', async () => {
  const once = async (): Promise<string> => {
    let count = 0;
    const environment = { now: () => 0, id: () => `id${count++}` };
    const script: ScriptedTurn[] = [
      { text: 'Hm.', calls: [{ name: 'z' }, { name: 'add', input: { b: 2, a: 1 } }, { name: 'nope' }] },
      { text: 'So.' },
    ];
    const played = play(script, [tool('z', { execute: () => ({ b: 1, a: new Map([['x', 1]]) }) }), add], {
      environment,
    });
    return JSON.stringify([await played.result, await eventsOf(played), played.model.requests]);
  };
  expect(await once()).toBe(await once());
});

it('a chain of 200 calls keeps its history, in order', async () => {
  const script = Array.from({ length: 200 }, (_, n): ScriptedTurn => ({
    calls: [{ name: 'add', input: { a: n, b: 1 } }],
  }));
  const played = play([...script, { text: 'end' }], [add], { limits: { steps: 300 } });
  const { messages, steps, status } = await played.result;
  expect([status, steps]).toEqual(['complete', 201]);
  expect(results(messages).map(({ output }) => output)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
});
