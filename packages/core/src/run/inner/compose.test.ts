import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { capability } from '../../tool/capability.ts';
import { jsonSchema } from '../../schema/json-schema.ts';
import type { Json } from '../../base/json.ts';
import { textOf } from '../../model/message.ts';
import { scriptedModel } from '../../testing/index.ts';
import {
  call,
  eventsOf,
  finish,
  gate,
  marksOf,
  memoryThread,
  play,
  resultsOf,
  streamedModel,
  tool,
  until,
} from '../../test-kit/runs.ts';
import { defineTool } from '../../tool/define.ts';
import { result as answer } from '../../tool/result.ts';
import type { ToolContext } from '../../tool/tool.ts';
import { permissions } from '../permission/policy.ts';
import { messagesOf } from '../../thread/messages.ts';

/** A tool whose `execute` is the test's function of its context. */
const doing = (name: string, work: (context: ToolContext, input: Json) => unknown) =>
  tool(name, { execute: (input, _options, context) => work(context, input as Json) });

it('a tool calls others of its run: checked, decided, reported and bounded like calls of the model', async () => {
  const add = defineTool({
    name: 'add',
    description: 'Adds.',
    input: z.toJSONSchema(z.object({ a: z.number(), b: z.number() })),
    effects: 'read',
    execute: ({ a, b }) => a + b,
  });
  const all = doing('all', async ({ call: callTool }) => {
    const results = await Promise.all([
      callTool('add', { a: 1, b: '2' }),
      callTool('add', { a: 'x' }),
      callTool('nothing', {}),
    ]);
    return results.map(({ output, code }) => code ?? output);
  });
  const played = play([{ calls: [{ name: 'all' }] }, {}], [add, all]);
  const { messages } = await played.result;
  expect(resultsOf(messages)[0]?.output).toEqual([3, 'invalid_input', 'unknown_tool']);
  const ends = (await eventsOf(played)).filter((event) => event.type === 'tool-end');
  expect(ends.map(({ name, parentCallId }) => [name, parentCallId])).toEqual([
    ['nothing', 'call-1'],
    ['add', 'call-1'],
    ['add', 'call-1'],
    ['all', undefined],
  ]);
});

it('a call of a tool’s needs the permission that a call of the model’s needs', async () => {
  let saved = 0;
  const save = tool('save', { effects: 'write', execute: () => ++saved });
  const outer = doing('outer', async ({ call: callTool }) => {
    const [first, second] = [await callTool('save', {}), await callTool('save', {})];
    return [first.output, second.code ?? null];
  });
  const played = play([{ calls: [{ name: 'outer' }] }, {}], [save, outer], { policy: permissions('write') });
  const answers = ['once', 'deny'] as const;
  let asked = 0;
  for await (const event of played.events()) {
    if (event.type !== 'approval-request') continue;
    expect([event.name, event.parentCallId]).toEqual(['save', 'call-1']);
    played.answer(event.questionId, answers[asked++] ?? 'deny');
  }
  expect(resultsOf((await played.result).messages)[0]?.output).toEqual([1, 'tool_denied']);
  const alone = play([{ calls: [{ name: 'outer' }] }, {}], [save, outer], {
    policy: permissions('write'),
    interactive: false,
  });
  await alone.result;
  expect(saved).toBe(1);
});

it('calls of tools with effects run one after the other, whoever makes them', async () => {
  let open = 0;
  let most = 0;
  const save = tool('save', {
    effects: 'write',
    async execute() {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 1));
      open--;
    },
  });
  const many = doing('many', ({ call: callTool }) =>
    Promise.all([1, 2, 3].map(() => callTool('save', {}))).then((all) => all.length),
  );
  await play([{ calls: [{ name: 'many' }, { name: 'many' }] }, {}], [save, many]).result;
  expect(most).toBe(1);
});

it('no more calls of a tool run at once than it allows, whoever makes them', async () => {
  let [now, most] = [0, 0];
  const one = tool('one', {
    concurrency: 1,
    async execute() {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now--;
    },
  });
  const many = doing('many', ({ call: callTool }) => Promise.all([1, 2, 3].map((n) => callTool('one', { n }))));
  const { messages } = await play([{ calls: [{ name: 'many' }] }, {}], [one, many]).result;
  expect(resultsOf(messages)[0]?.output).toHaveLength(3);
  expect(most).toBe(1);
});

it('a call of a tool’s runs with the input that the user gave, and is not asked about again', async () => {
  const outer = doing('outer', async ({ call: callTool }) => (await callTool('save', { all: true })).output);
  const save = tool('save', { effects: 'write', execute: (input) => input });
  const run = play([{ calls: [{ name: 'outer' }] }, {}], [outer, save], {
    policy: ({ name }) => (name === 'save' ? 'ask' : 'allow'),
  });
  const asked: unknown[] = [];
  for await (const event of run.events())
    if (event.type === 'approval-request') {
      asked.push(event.input);
      run.answer(event.questionId, { input: { all: false } });
    }
  expect(asked).toEqual([{ all: true }]);
  expect(resultsOf((await run.result).messages)[0]?.output).toEqual({ all: false });
});

it('a tool that calls itself ends, and one whose call is not answered is not waited for after an abort', async () => {
  let depth = 0;
  const self = doing('self', async ({ call: callTool }) => (++depth, (await callTool('self', {})).output));
  const { messages } = await play([{ calls: [{ name: 'self' }] }, {}], [self]).result;
  expect(resultsOf(messages)[0]?.output).toContain('nested more than 8 deep');
  expect(depth).toBe(9); // the model's call, and eight inside it

  const outer = doing('outer', ({ call: callTool }) => callTool('save', {}));
  const played = play([{ calls: [{ name: 'outer' }] }], [outer, tool('save', { effects: 'write' })], {
    policy: permissions('write'),
  });
  await until(played, 'approval-request');
  played.abort();
  expect((await played.result).status).toBe('aborted');
});

it('what a call of a tool’s has changed is known after an interruption: its tool is not run again unasked', async () => {
  const thread = memoryThread();
  const outer = doing('outer', ({ call: callTool }) => callTool('save', {}));
  await play([{ calls: [{ name: 'outer' }] }, {}], [outer, tool('save', { effects: 'write' })], { thread }).result;
  expect(marksOf(thread.marks)).toEqual([['call-begun', 'call-1']]);
});

it('a tool reads the whole output of an earlier call, and sees tools that are hidden from the model', async () => {
  const long = tool('long', { execute: () => 'x'.repeat(50), outputLimit: 20 });
  const hidden = tool('hidden', { defer: true });
  const look = doing('look', async ({ outputOf, tools, call: callTool }) => ({
    whole: await outputOf('call-1'),
    none: (await outputOf('nothing')) ?? null,
    tools: (await tools()).map(({ name }) => name),
    hidden: (await callTool('hidden', {})).output,
  }));
  const played = play([{ calls: [{ name: 'long' }] }, { calls: [{ name: 'look' }] }, {}], [long, hidden, look]);
  const { messages } = await played.result;
  expect(textOf(resultsOf(messages)[0]?.modelParts ?? [])).not.toContain('x'.repeat(21));
  expect(resultsOf(messages)[1]?.output).toEqual({
    whole: 'x'.repeat(50),
    none: null,
    tools: ['hidden', 'long', 'look'],
    hidden: 'hidden',
  });
  expect(played.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['long', 'look']);
});

it('a tool that is called without a run knows no other', async () => {
  const { runTool } = await import('../../toolset/run-tool.ts');
  const lonely = doing('lonely', async ({ call: callTool, tools, outputOf, run }) => ({
    call: (await callTool('x', {})).output,
    tools: (await tools()).length,
    output: (await outputOf('x')) ?? null,
    run: await run({ messages: 'Hi' }).catch((error: Error) => error.message),
  }));
  expect((await runTool(lonely, {})).output).toEqual({
    call: 'Unknown tool: x',
    tools: 0,
    output: null,
    run: 'This call is part of no run.',
  });
});

it('a run inside a run has tools, a host and a form of its own; what it takes counts outside', async () => {
  const place = capability<string>('place');
  const where = defineTool({
    name: 'where',
    description: 'Where.',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    requires: { place },
    execute: (_input, _options, { host }) => host.place,
  });
  const inner = scriptedModel([
    { calls: [{ name: 'where' }, { name: 'save' }], usage: { inputTokens: 7, outputTokens: 1 } },
    { calls: [{ name: 'final_answer', input: { found: 'inside' } }] },
  ]);
  const ask = doing('ask', async ({ run }) => {
    const sub = await run({
      model: inner,
      messages: 'Where are you?',
      tools: ['where'],
      host: { place: 'inside' },
      output: z.toJSONSchema(z.object({ found: z.string() })),
    });
    const { value, messages } = await sub.result;
    return { value: value ?? null, outputs: resultsOf(messages).map(({ output }) => output) };
  });
  const { resolveToolset } = await import('../../toolset/toolset.ts');
  const { createRegistry } = await import('../../tool/registry.ts');
  const { emptySettings } = await import('../../settings/settings.ts');
  const toolset = resolveToolset(createRegistry([where, ask, tool('save')]), emptySettings, { place: 'outside' });
  const played = play([{ calls: [{ name: 'ask' }, { name: 'where' }] }, {}], [], { toolset });
  const { messages, usage, status } = await played.result;
  expect(resultsOf(messages).map(({ output }) => output)).toEqual([
    { value: { found: 'inside' }, outputs: ['inside', 'Unknown tool: save', 'The answer is given.'] },
    'outside',
  ]);
  expect([status, usage.inputTokens]).toEqual(['complete', 7]);
  expect(inner.requests[0]?.tools.map(({ name }) => name)).toEqual(['final_answer', 'where']);
  const inside = (await eventsOf(played)).flatMap((event) => (event.type === 'sub-run' ? [event] : []));
  expect(inside[0]).toMatchObject({ callId: 'call-1', event: { type: 'run-start' } });
  expect(inside.at(-1)).toMatchObject({ callId: 'call-1', event: { type: 'run-end', status: 'complete' } });
});

it('[S2-38] questions of a run inside are the outer run’s, what is allowed for the run holds in both, and an abort ends both', async () => {
  const save = tool('save', { effects: 'write' });
  const inner = scriptedModel([{ calls: [{ name: 'save', callId: 'call-1' }] }, {}]);
  const ask = doing('ask', async ({ run }) => (await (await run({ model: inner, messages: 'Save.' })).result).status);
  const script = [{ calls: [{ name: 'ask' }] }, { calls: [{ name: 'save' }] }, {}];
  const played = play(script, [save, ask], { policy: permissions('write') });
  let asked = 0;
  for await (const event of played.events()) {
    expect(event.type).not.toBe('approval-request');
    if (event.type !== 'sub-run' || event.event.type !== 'approval-request') continue;
    asked++;
    const { questionId, callId } = event.event;
    expect(() => played.answer(callId, 'once')).toThrow('is not open');
    played.answer(questionId, 'run');
  }
  expect([asked, resultsOf((await played.result).messages)[0]?.output]).toEqual([1, 'complete']);

  const deaf = scriptedModel([{ text: 'Hm', hangs: true }]);
  const wait = doing('wait', async ({ run }) => (await (await run({ model: deaf, messages: 'Wait.' })).result).status);
  const stuck = play([{ calls: [{ name: 'wait' }] }], [wait]);
  await until(stuck, 'sub-run');
  stuck.abort();
  expect((await stuck.result).status).toBe('aborted');
});

it('what is sent while a run is under way goes in before its next turn, and there is one', async () => {
  const rest = gate();
  const model = streamedModel([
    () => [{ type: 'text-delta', text: 'Thinking' }, rest, finish()],
    () => [{ type: 'text-delta', text: 'Yes.' }, finish()],
  ]);
  const thread = memoryThread();
  const played = play(model, [], { thread });
  await until(played, 'text-delta');
  played.send('And hurry.');
  rest.open();
  const { status, text, messages } = await played.result;
  expect([status, text]).toEqual(['complete', 'Yes.']);
  expect(messages.map(({ role, parts }) => [role, textOf(parts)])).toEqual([
    ['user', 'Go.'],
    ['assistant', 'Thinking'],
    ['user', 'And hurry.'],
    ['assistant', 'Yes.'],
  ]);
  expect(await messagesOf(thread)).toEqual(messages);
  expect(() => played.send('Too late.')).toThrow('The run is over');
});

it('what was sent is stored where the run ends before it could be read', async () => {
  const model = streamedModel([() => [{ type: 'text-delta', text: 'Hm' }, new Promise(() => undefined)]]);
  const thread = memoryThread();
  const played = play(model, [], { thread });
  await until(played, 'text-delta');
  played.send('Never mind.');
  played.abort();
  await played.result;
  expect((await messagesOf(thread)).map(({ parts }) => textOf(parts))).toEqual(['Go.', 'Hm', 'Never mind.']);
});

const weather = z.toJSONSchema(z.object({ celsius: z.number() }));

it('gives a structured answer: checked, asked for if the model forgets it, and at a limit too', async () => {
  const give = (input: object) => ({ calls: [{ name: 'final_answer', input: input as { celsius: number } }] });
  const direct = await play([give({ celsius: 4 })], [], { output: weather }).result;
  expect([direct.status, direct.value]).toEqual(['complete', { celsius: 4 }]);

  const mended = await play([give({ celsius: 'warm' }), give({ celsius: 21 })], [], { output: weather }).result;
  expect([mended.value, resultsOf(mended.messages)[0]?.isError]).toEqual([{ celsius: 21 }, true]);

  const forgot = play([{ text: 'It is 4.' }, give({ celsius: 4 })], [], { output: weather });
  expect((await forgot.result).value).toEqual({ celsius: 4 });
  expect(forgot.model.requests[1]?.toolChoice).toEqual({ tool: 'final_answer' });
  expect(textOf(forgot.model.requests[1]?.messages.at(-1)?.parts ?? [])).toContain('Give your final answer now');

  const stubborn = await play([{ text: 'No.' }, { text: 'No!' }], [], { output: weather }).result;
  expect([stubborn.status, stubborn.error?.code]).toEqual(['error', 'invalid_output']);

  const late = play([{ calls: [{ name: 'look' }] }, give({ celsius: 3 })], [tool('look')], {
    output: weather,
    limits: { steps: 1 },
  });
  expect(await late.result).toMatchObject({ status: 'limit', limit: 'steps', value: { celsius: 3 } });
});

it('gives a structured answer without asking for permission, whatever else is asked about', async () => {
  const script = [{ calls: [{ name: 'final_answer', input: { celsius: 4 } }] }];
  const { status, value } = await play(script, [], { output: weather, policy: permissions('all') }).result;
  expect([status, value]).toEqual(['complete', { celsius: 4 }]);
});

it('asks for a structured answer with one tool of its name, whatever the app’s are called', async () => {
  const output = jsonSchema({ type: 'object' });
  const played = play([{ calls: [{ name: 'final_answer', input: { n: 1 } }] }], [tool('final_answer')], { output });
  expect((await played.result).value).toEqual({ n: 1 });
  expect(played.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['final_answer']);
});

it('says at once that an answer cannot have a form that is not an object', async () => {
  const { status, error } = await play([], [], { output: jsonSchema({ type: 'string' }) }).result;
  expect([status, error?.code]).toEqual(['error', 'invalid_tool']);
  expect(error?.message).toContain('must be an object');
});

it('other calls in the turn of a structured answer run before the run ends', async () => {
  const model = streamedModel([
    () => [call('1', 'look'), call('2', 'final_answer', { celsius: 1 }), finish('tool-calls')],
  ]);
  const { value, messages } = await play(model, [tool('look')], { output: weather }).result;
  expect([value, resultsOf(messages).length]).toEqual([{ celsius: 1 }, 2]);
});

it('gives the exact request that the model was asked with last', async () => {
  const played = play([{ calls: [{ name: 'look' }] }, { text: 'Done.' }], [tool('look')], { instructions: 'Be kind.' });
  expect(played.lastRequest()).toBeUndefined();
  await played.result;
  expect(played.lastRequest()).toBe(played.model.requests[1]);
});

it('an inner run passes provider data only to models of the same API', async () => {
  const seen: unknown[] = [];
  const inner = (api: string) => scriptedModel([({ providerOptions }) => (seen.push(providerOptions), {})], { api });
  const ask = doing('ask', async ({ run }) => {
    for (const api of ['text', 'gemini']) await (await run({ model: inner(api), messages: 'Hi' })).result;
  });
  await play([{ calls: [{ name: 'ask' }] }, {}], [ask], { providerOptions: { seed: 1 } }).result;
  expect(seen).toEqual([{ seed: 1 }, undefined]);
});

it('ends with the value of the first call that ends the run, whichever is done first', async () => {
  const ends = (name: string, ms: number) =>
    tool(name, {
      async execute() {
        await new Promise((resolve) => setTimeout(resolve, ms));
        return answer({ output: name, control: { end: { value: name } } });
      },
    });
  const played = play([{ calls: [{ name: 'slow' }, { name: 'quick' }] }], [ends('slow', 5), ends('quick', 0)]);
  expect((await played.result).value).toBe('slow');
});
