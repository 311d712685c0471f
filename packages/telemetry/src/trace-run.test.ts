import { diag, DiagLogLevel, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import type { Meter, Tracer } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { Histogram } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import {
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  noUsage,
  permissions,
  resolveToolset,
  run,
  UtensilError,
} from '@utensil/core';
import type { Model, ModelPart, Run, RunEvent, RunOptions, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import type { ScriptedTurn } from '@utensil/core/testing';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { traceRun } from './trace-run.ts';
import type { TraceOptions } from './trace-run.ts';

/** A tracer and a meter of the official SDK that record in memory. */
function kept() {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meters = new MeterProvider({ readers: [reader] });
  return {
    tracer: provider.getTracer('test'),
    meter: meters.getMeter('test'),
    spans: (): readonly ReadableSpan[] => exporter.getFinishedSpans(),
    async points() {
      await meters.forceFlush();
      const all = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
      await meters.shutdown();
      return all.flatMap(({ descriptor: { name, unit }, dataPointType, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => {
          if (dataPointType !== DataPointType.HISTOGRAM) throw new Error(`${name} is no histogram.`);
          const { sum, count, buckets } = value as Histogram;
          return { name, unit, attributes, sum, count, boundaries: buckets.boundaries };
        }),
      );
    },
  };
}

const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => `${name} is done`,
    ...more,
  });

/** A run whose clock goes on by 10 ms each time somebody looks at it. */
function play(
  script: readonly ScriptedTurn[] | Model,
  tools: readonly Tool[] = [],
  more: Partial<RunOptions> = {},
): Run {
  let time = 1_700_000_000_000; // the SDK takes a time below performance.now() for one since the start of the process
  let ids = 0;
  return run({
    model: 'stream' in script ? script : scriptedModel(script, { api: 'openai-responses', id: 'gpt-5.1' }),
    toolset: resolveToolset(createRegistry(tools), emptySettings, {}),
    messages: 'How is the weather in Paris?',
    environment: { now: () => (time += 10), id: () => `id-${++ids}` },
    ...more,
  });
}

const finish: ModelPart = { type: 'finish', reason: 'stop', usage: noUsage };

async function traced(turn: Run, options: TraceOptions = {}) {
  const telemetry = kept();
  await traceRun(turn, { tracer: telemetry.tracer, meter: telemetry.meter, ...options });
  return telemetry;
}

const named = (spans: readonly ReadableSpan[], name: string): ReadableSpan => {
  const found = spans.filter((span) => span.name === name);
  expect(found, `spans named ${name}`).toHaveLength(1);
  return found[0] as ReadableSpan;
};

/** The spans as lines, each below the one that it is part of. */
function treeOf(spans: readonly ReadableSpan[], parent?: string): readonly string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  return spans
    .filter(({ parentSpanContext }) =>
      parent === undefined ? !ids.has(parentSpanContext?.spanId ?? '') : parentSpanContext?.spanId === parent,
    )
    .toSorted((a, b) => milliseconds(a.startTime) - milliseconds(b.startTime))
    .flatMap((span) => [span.name, ...treeOf(spans, span.spanContext().spanId).map((line) => `  ${line}`)]);
}

const milliseconds = ([seconds, nanoseconds]: readonly [number, number]): number => seconds * 1000 + nanoseconds / 1e6;

const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 80, cacheWriteTokens: 5, reasoningTokens: 7 };

const script: readonly ScriptedTurn[] = [
  { text: 'I look.', calls: [{ name: 'weather', input: { city: 'Paris' } }], usage },
  { text: 'It rains.', usage: { ...usage, inputTokens: 150 } },
];

it('a run is a span, with one for each turn and each call', async () => {
  const { spans } = await traced(play(script, [tool('weather')]), { agentName: 'meteo', conversationId: 'thread-1' });
  expect(treeOf(spans())).toEqual(['invoke_agent meteo', '  chat gpt-5.1', '  execute_tool weather', '  chat gpt-5.1']);
  const [agent, call] = [named(spans(), 'invoke_agent meteo'), named(spans(), 'execute_tool weather')];
  expect(agent.attributes).toEqual({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'meteo',
    'gen_ai.conversation.id': 'thread-1',
    'gen_ai.request.model': 'gpt-5.1',
    'gen_ai.usage.input_tokens': 250,
    'gen_ai.usage.output_tokens': 40,
    'gen_ai.usage.cache_read.input_tokens': 160,
    'gen_ai.usage.cache_creation.input_tokens': 10,
    'gen_ai.usage.reasoning.output_tokens': 14,
    'utensil.run.id': 'id-1',
    'utensil.run.status': 'complete',
  });
  expect(call.attributes).toEqual({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.agent.name': 'meteo',
    'gen_ai.conversation.id': 'thread-1',
    'gen_ai.tool.name': 'weather',
    'gen_ai.tool.call.id': 'call-1',
    'gen_ai.tool.type': 'function',
    'utensil.tool.effects': 'read',
  });
  const turns = spans().filter(({ name }) => name.startsWith('chat'));
  expect(turns[0]?.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5.1',
    'gen_ai.response.finish_reasons': ['tool_call'],
    'gen_ai.usage.input_tokens': 100,
    'gen_ai.usage.cache_read.input_tokens': 80,
    'utensil.step': 1,
  });
  expect(turns[1]?.attributes['gen_ai.response.finish_reasons']).toEqual(['stop']);
});

it('spans have the times of the events, whenever they are read', async () => {
  const turn = play(script, [tool('weather')]);
  await turn.result;
  const events: RunEvent[] = [];
  for await (const event of turn.events()) events.push(event);
  const { spans } = await traced(turn);
  const agent = named(spans(), 'invoke_agent');
  expect([milliseconds(agent.startTime), milliseconds(agent.endTime)]).toEqual([events[0]?.time, events.at(-1)?.time]);
  const call = named(spans(), 'execute_tool weather');
  const timeOf = (type: string) => events.find((event) => event.type === type)?.time;
  expect([milliseconds(call.startTime), milliseconds(call.endTime)]).toEqual([
    timeOf('tool-start'),
    timeOf('tool-end'),
  ]);
});

it('what is measured has the names, the units and the buckets of the conventions', async () => {
  const points = await (await traced(play(script, [tool('weather')]))).points();
  const model = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-5.1',
  };
  const of = (name: string) => points.filter((point) => point.name === name);
  expect(of('gen_ai.client.token.usage')).toMatchObject([
    { unit: '{token}', attributes: { ...model, 'gen_ai.token.type': 'input' }, sum: 250, count: 2 },
    { unit: '{token}', attributes: { ...model, 'gen_ai.token.type': 'output' }, sum: 40, count: 2 },
  ]);
  expect(of('gen_ai.client.token.usage')[0]?.boundaries).toEqual([
    1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
  ]);
  expect(of('gen_ai.client.operation.duration')).toMatchObject([{ unit: 's', attributes: model, count: 2 }]);
  expect(of('gen_ai.client.operation.duration')[0]?.boundaries).toEqual([
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
  ]);
  expect(of('gen_ai.client.operation.time_to_first_chunk')).toMatchObject([{ unit: 's', attributes: model, count: 2 }]);
  expect(of('gen_ai.execute_tool.duration')).toMatchObject([
    { attributes: { 'gen_ai.tool.name': 'weather' }, count: 1 },
  ]);
  expect(of('gen_ai.invoke_agent.duration')).toMatchObject([{ unit: 's', count: 1 }]);
  expect(of('gen_ai.invoke_agent.duration')[0]?.boundaries).toEqual([
    0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6,
  ]);
});

it('the time to the first piece is the time from the request to it', async () => {
  const turn = play([{ text: 'It rains.' }]);
  const { spans } = await traced(turn);
  const times = new Map<string, number>();
  for await (const { type, time } of turn.events()) if (!times.has(type)) times.set(type, time);
  const expected = ((times.get('text-delta') ?? NaN) - (times.get('step-start') ?? NaN)) / 1000;
  expect(named(spans(), 'chat gpt-5.1').attributes['gen_ai.response.time_to_first_chunk']).toBe(expected);
});

const secret = 'Schloßstraße 7';

/** A run that says the secret wherever something can be said. */
function tellingRun(): Run {
  const tell = tool('tell', { execute: () => secret, render: { title: `Telling {city}` } });
  const fail = tool('fail', { execute: () => Promise.reject(new Error(secret)) });
  const calls = [{ name: 'tell', input: { city: secret } }, { name: 'fail' }, { name: secret.replaceAll(/\W/g, '_') }];
  const broken = { text: secret, reasoning: secret, breaks: new UtensilError('model_failed', secret) };
  return play([{ text: secret, reasoning: secret, calls }, broken], [tell, fail], { messages: secret });
}

it('spans and metrics contain no message content, unless it is requested', async () => {
  const silent = await traced(tellingRun());
  const said = JSON.stringify([
    silent.spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    await silent.points(),
  ]);
  expect(said).not.toContain('Schlo');
  expect(named(silent.spans(), 'execute_tool _OTHER').attributes['error.type']).toBe('unknown_tool');
});

it('with captureContent, spans say what users, model and tools said', async () => {
  const { spans } = await traced(play(script, [tool('weather')]), { captureContent: true });
  const turns = spans().filter(({ name }) => name.startsWith('chat'));
  const content = (span: ReadableSpan | undefined, name: string): unknown => JSON.parse(String(span?.attributes[name]));
  expect(content(turns[0], 'gen_ai.input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'How is the weather in Paris?' }] },
  ]);
  expect(content(turns[0], 'gen_ai.output.messages')).toEqual([
    {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'I look.' },
        { type: 'tool_call', id: 'call-1', name: 'weather', arguments: { city: 'Paris' } },
      ],
      finish_reason: 'tool_call',
    },
  ]);
  const response = [{ type: 'text', content: 'weather is done' }];
  expect(content(turns[1], 'gen_ai.input.messages')).toEqual([
    { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call-1', response }] },
  ]);
  const call = named(spans(), 'execute_tool weather');
  expect(content(call, 'gen_ai.tool.call.arguments')).toEqual({ city: 'Paris' });
  expect(content(call, 'gen_ai.tool.call.result')).toBe('weather is done');
});

it('a call that fails, or is refused, has the code of its error', async () => {
  const fail = tool('fail', { execute: () => Promise.reject(new Error('No.')) });
  const save = tool('save', { effects: 'write' });
  const calls = [{ name: 'fail' }, { name: 'save' }];
  const turn = play([{ calls }, {}], [fail, save], { policy: permissions('write'), interactive: false });
  const telemetry = await traced(turn);
  const [failed, denied] = [
    named(telemetry.spans(), 'execute_tool fail'),
    named(telemetry.spans(), 'execute_tool save'),
  ];
  expect([failed.attributes['error.type'], failed.status.code]).toEqual(['tool_failed', 2]);
  expect([denied.attributes['error.type'], denied.status.code]).toEqual(['tool_denied', 2]);
  expect(denied.duration).toEqual([0, 0]);
  expect(named(telemetry.spans(), 'invoke_agent').status.code).toBe(0);
  const points = (await telemetry.points()).filter(({ name }) => name === 'gen_ai.execute_tool.duration');
  expect(new Set(points.map(({ attributes }) => attributes['error.type']))).toEqual(
    new Set(['tool_denied', 'tool_failed']),
  );
});

it('a model that fails is an error of its turn and of the run', async () => {
  const broken = new UtensilError('model_overloaded', 'Too much to do.');
  const telemetry = await traced(play([{ text: 'Well', breaks: broken }]));
  const [turn, agent] = [named(telemetry.spans(), 'chat gpt-5.1'), named(telemetry.spans(), 'invoke_agent')];
  expect([turn.attributes['error.type'], turn.status.code]).toEqual(['model_overloaded', 2]);
  expect([agent.attributes['error.type'], agent.attributes['utensil.run.status']]).toEqual([
    'model_overloaded',
    'error',
  ]);
  const points = await telemetry.points();
  expect(points.find(({ name }) => name === 'gen_ai.client.operation.duration')?.attributes).toMatchObject({
    'error.type': 'model_overloaded',
  });
  expect(points.some(({ name }) => name === 'gen_ai.client.token.usage')).toBe(false);
});

it('a turn that is asked for again is a span for each attempt, with the same input', async () => {
  const busy = new UtensilError('model_overloaded', 'Busy.', { retryable: true, retryAfterMs: 0 });
  const { spans } = await traced(play([{ breaks: busy }, { text: 'Hello.' }]), { captureContent: true });
  const [first, second, whole] = spans();
  const messages = first?.attributes['gen_ai.input.messages'];
  expect(first?.attributes).toMatchObject({ 'error.type': 'model_overloaded', 'gen_ai.input.messages': messages });
  expect(second?.attributes).toMatchObject({ 'utensil.step': 1, 'gen_ai.input.messages': messages });
  expect(String(messages)).toContain('user');
  expect(second?.attributes['error.type']).toBeUndefined();
  expect(whole?.attributes['utensil.run.status']).toBe('complete');
  expect(whole?.events).toMatchObject([
    {
      name: 'utensil.step-retry',
      attributes: { 'utensil.attempt': 1, 'utensil.wait_ms': 0, 'error.type': 'model_overloaded' },
      time: first?.endTime,
    },
  ]);
});

it('a turn that was truncated behind a call is an error of its span alone, and counts no tokens', async () => {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const look = tool('look', { execute: () => begin() });
  const script: ModelPart[][] = [
    [{ type: 'tool-call', callId: 'a', name: 'look', input: {}, executedBy: 'us' }],
    [{ type: 'text-delta', text: 'Seen.' }, finish],
  ];
  const model: Model = {
    info: scriptedModel([], { api: 'openai-responses', id: 'gpt-5.1' }).info,
    async *stream() {
      const parts = script.shift() ?? [];
      yield* parts;
      if (parts.includes(finish)) return;
      await begun;
      throw new UtensilError('stream_truncated', 'It broke off.', { retryable: true });
    },
  };
  const telemetry = await traced(play(model, [look]));
  const turns = telemetry.spans().filter(({ name }) => name === 'chat gpt-5.1');
  expect(turns.map(({ attributes, status }) => [attributes['error.type'], status.code])).toEqual([
    ['stream_truncated', 2],
    [undefined, 0],
  ]);
  expect(named(telemetry.spans(), 'invoke_agent').status.code).toBe(0);
  const points = await telemetry.points();
  const durations = points.filter(({ name }) => name === 'gen_ai.client.operation.duration');
  expect(durations.map(({ attributes }) => attributes['error.type'])).toEqual(['stream_truncated', undefined]);
  expect(points.find(({ name }) => name === 'gen_ai.client.token.usage')?.count).toBe(1);
});

it('a turn in which the model says that it failed is an error of its span', async () => {
  const { spans } = await traced(play([{ text: 'Well', reason: 'error' }]));
  expect(named(spans(), 'chat gpt-5.1').attributes).toMatchObject({
    'error.type': 'model_failed',
    'gen_ai.response.finish_reasons': ['error'],
  });
});

it('a turn whose prompt was too long has the same input when it is asked for with a shorter one', async () => {
  const tooLong = new UtensilError('prompt_too_long', 'Too long.');
  const { spans } = await traced(play([{ breaks: tooLong }, { text: 'Hello.' }]), { captureContent: true });
  const [first, second] = spans().map(({ attributes }) => attributes['gen_ai.input.messages']);
  expect(second).toContain('Paris');
  expect(second).toBe(first);
});

it('an abort is no error that was made up for before', async () => {
  const busy = new UtensilError('tool_failed', 'No prompt.');
  const look = tool('look', { prompt: () => Promise.reject(busy) });
  const turn = play([{ text: 'Well', hangs: true }], [look]);
  const tracing = traced(turn);
  const seen: string[] = [];
  for await (const event of turn.events()) {
    seen.push(event.type);
    if (event.type === 'text-delta') turn.abort();
  }
  expect(seen).toContain('error');
  expect(named((await tracing).spans(), 'chat gpt-5.1').attributes['error.type']).toBe('aborted');
});

it('a run that is aborted ends its spans, and is not an error', async () => {
  const turn = play([{ text: 'Well', hangs: true }]);
  const tracing = traced(turn);
  for await (const event of turn.events()) if (event.type === 'text-delta') turn.abort();
  const { spans } = await tracing;
  expect(named(spans(), 'chat gpt-5.1').attributes['error.type']).toBe('aborted');
  const agent = named(spans(), 'invoke_agent');
  expect([agent.status.code, agent.attributes['utensil.run.status']]).toEqual([0, 'aborted']);
});

it('calls that tools make, and runs inside runs, are inside the call that made them', async () => {
  const inner = tool('inner');
  const outer = tool('outer', { execute: async (_input, _options, { call }) => (await call('inner', {})).output });
  const ask = tool('ask', {
    execute: async (_input, _options, context) => {
      const model = scriptedModel([{ calls: [{ name: 'inner' }] }, { text: 'Yes.' }], { api: 'gemini', id: 'small' });
      const { result } = await context.run({ messages: 'Is it?', model });
      return (await result).text;
    },
  });
  const { spans } = await traced(
    play([{ calls: [{ name: 'outer' }] }, { calls: [{ name: 'ask' }] }, {}], [inner, outer, ask]),
  );
  expect(treeOf(spans())).toEqual([
    'invoke_agent',
    '  chat gpt-5.1',
    '  execute_tool outer',
    '    execute_tool inner',
    '  chat gpt-5.1',
    '  execute_tool ask',
    '    invoke_agent',
    '      chat small',
    '      execute_tool inner',
    '      chat small',
    '  chat gpt-5.1',
  ]);
  const small = spans().find(({ name }) => name === 'chat small');
  expect(small?.attributes['gen_ai.provider.name']).toBe('gcp.gemini');
});

it('questions and limits are marked on the span of the run', async () => {
  const save = tool('save', { effects: 'write' });
  const turn = play([{ calls: [{ name: 'save' }] }, {}], [save], {
    policy: permissions('write'),
    limits: { steps: 1 },
  });
  const tracing = traced(turn);
  for await (const event of turn.events()) if (event.type === 'approval-request') turn.answer(event.questionId, 'once');
  const { events } = named((await tracing).spans(), 'invoke_agent');
  expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['utensil.approval-request', { 'gen_ai.tool.call.id': 'call-1', 'gen_ai.tool.name': 'save' }],
    ['utensil.approval-answer', { 'gen_ai.tool.call.id': 'call-1', 'utensil.answer': 'once' }],
    ['utensil.limit', { 'utensil.limit': 'steps' }],
  ]);
});

it('the span of a run is inside the one that its app gives', async () => {
  const telemetry = kept();
  const request = telemetry.tracer.startSpan('request');
  const context = trace.setSpan(ROOT_CONTEXT, request);
  await traceRun(play([{ text: 'Hi' }]), { ...telemetry, context, provider: 'groq' });
  request.end();
  expect(treeOf(telemetry.spans())).toEqual(['request', '  invoke_agent', '    chat gpt-5.1']);
  expect(named(telemetry.spans(), 'chat gpt-5.1').attributes['gen_ai.provider.name']).toBe('groq');
});

it('a tracer or a meter that throws is told to diag, and disturbs neither the run nor its caller', async () => {
  const warn = vi.fn<(message: string) => void>();
  const nothing = () => {};
  diag.setLogger({ warn, error: nothing, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN);
  const broken = () => {
    throw new Error('broken exporter');
  };
  onTestFinished(() => diag.disable());
  const { tracer, meter } = kept();
  for (const bad of [
    { tracer: { startSpan: broken } as unknown as Tracer, meter },
    { tracer, meter: { createHistogram: broken } as unknown as Meter },
  ]) {
    warn.mockClear();
    const turn = play(script, [tool('weather')]);
    await expect(traceRun(turn, bad)).resolves.toBeUndefined();
    expect((await turn.result).status).toBe('complete');
    expect(warn).toHaveBeenCalledWith('@utensil/telemetry: broken exporter');
  }
});

it('a call that is under way when its run is over ends with it', async () => {
  const stuck = tool('stuck', { execute: () => new Promise(() => {}) });
  const outer = tool('outer', { execute: async (_input, _options, { call }) => (await call('stuck', {})).output });
  const turn = play([{ calls: [{ name: 'outer' }] }, {}], [stuck, outer]);
  const tracing = traced(turn);
  for await (const event of turn.events()) if (event.type === 'tool-start' && event.name === 'stuck') turn.abort();
  const { spans } = await tracing;
  expect(named(spans(), 'execute_tool stuck').attributes['error.type']).toBe('tool_cancelled');
  expect(treeOf(spans())).toContain('    execute_tool stuck');
});

const turnsOfChance = fc.array(
  fc.record({
    calls: fc.array(fc.record({ name: fc.constantFrom('fine', 'fails', 'calls', 'asks', 'missing') }), {
      maxLength: 3,
    }),
    hangs: fc.boolean(),
    text: fc.constantFrom('', 'Well.'),
  }),
  { maxLength: 4 },
);

it('each span that begins ends once, inside the one that it is part of, whenever the run is aborted', async () => {
  const tools = [
    tool('fine'),
    tool('fails', { execute: () => Promise.reject(new Error('No.')) }),
    tool('calls', { execute: async (_input, _options, { call }) => (await call('fails', {})).output }),
    tool('asks', {
      execute: async (_input, _options, context) => {
        const model = scriptedModel([{ calls: [{ name: 'fine' }] }, { text: 'Yes.' }]);
        return (await (await context.run({ messages: 'Is it?', model })).result).text;
      },
    }),
  ];
  const property = fc.asyncProperty(turnsOfChance, fc.nat(40), async (turns, abortAt) => {
    const last = turns.length - 1; // only there may it hang, for ever
    const turn = play([...turns.map((each, index) => ({ ...each, hangs: each.hangs && index === last })), {}], tools);
    const started: string[] = [];
    const { tracer, meter, spans } = kept();
    const counting: Pick<Tracer, 'startSpan'> = {
      startSpan(...given) {
        const span = tracer.startSpan(...given);
        started.push(span.spanContext().spanId);
        return span;
      },
    };
    const tracing = traceRun(turn, { tracer: counting as Tracer, meter });
    const isStuck = (event: RunEvent): boolean => event.type === 'step-start' && event.step === turns.length;
    const hangs = turns.at(-1)?.hangs === true;
    for await (const event of turn.events()) if (event.seq === abortAt || (hangs && isStuck(event))) turn.abort();
    await tracing;
    const ended = spans().map((span) => span.spanContext().spanId);
    expect(ended.toSorted()).toEqual(started.toSorted());
    expect(treeOf(spans())).toHaveLength(started.length);
    expect(treeOf(spans())[0]).toBe('invoke_agent');
  });
  await fc.assert(property, { numRuns: 60 });
});

it('without a provider of spans and metrics, it does nothing', async () => {
  const turn = play(script, [tool('weather')]);
  await traceRun(turn);
  expect((await turn.result).text).toBe('It rains.');
});
