import type { ModelPart, ToolDefinition } from '@utensil/core';
import { interactionEvents } from '@utensil/tooling-loopback/google';
import { describe, expect, it } from 'vitest';
import { eventReader } from './stream.ts';

// Events are made by hand, after the documentation.
function partsOf(events: readonly unknown[], { tools = [] as readonly ToolDefinition[], isStored = false } = {}) {
  const reader = eventReader({ tools, isStored });
  return [...events.flatMap((event) => reader.read(event)), ...reader.end()];
}

function progressOf(events: readonly unknown[]): string {
  const reader = eventReader({ tools: [], isStored: false });
  for (const event of events) reader.read(event);
  return reader.progress();
}

const last = (events: readonly unknown[], more?: object): ModelPart | undefined => partsOf(events, more).at(-1);
const joined = (parts: readonly ModelPart[], type: string) =>
  parts.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('');
const output = (text: string, more: object = {}) => ({
  type: 'model_output',
  content: [{ type: 'text', text, ...more }],
});

it('reads thoughts, text and calls, and keeps all steps unchanged', () => {
  const steps = [
    { type: 'thought', summary: [{ type: 'text', text: 'Let me think of it.' }], signature: 's1' },
    output('I will look at both of them.'),
    { type: 'function_call', id: 'c1', name: 'read', arguments: { path: 'Größe \u{1f4cf}' }, signature: 's2' },
    { type: 'function_call', id: 'c2', name: 'now', arguments: {} },
  ];
  const parts = partsOf(interactionEvents(steps, { usage: { total_thought_tokens: 4, total_cached_tokens: 3 } }));
  expect(joined(parts, 'reasoning-delta')).toBe('Let me think of it.');
  expect(joined(parts, 'text-delta')).toBe('I will look at both of them.');
  expect(parts.filter(({ type }) => type.startsWith('tool'))).toEqual([
    { type: 'tool-input-start', callId: 'c1', name: 'read' },
    { type: 'tool-input-delta', callId: 'c1', delta: '{"path":"Grö' },
    { type: 'tool-input-delta', callId: 'c1', delta: 'ße \u{1f4cf}"}' },
    { type: 'tool-call', callId: 'c1', name: 'read', input: { path: 'Größe \u{1f4cf}' }, executedBy: 'us' },
    { type: 'tool-input-start', callId: 'c2', name: 'now' },
    { type: 'tool-call', callId: 'c2', name: 'now', input: {}, executedBy: 'us' },
  ]);
  expect(parts.at(-1)).toEqual({
    type: 'finish',
    reason: 'tool-calls',
    usage: { inputTokens: 10, outputTokens: 24, cacheReadTokens: 3, cacheWriteTokens: 0, reasoningTokens: 4 },
    state: { steps },
  });
});

it('keeps the id of an interaction that Google keeps', () => {
  const events = interactionEvents([output('Hi.')]);
  expect(last(events, { isStored: true })).toMatchObject({ state: { id: 'v1_abc' } });
  expect(last(events)).not.toHaveProperty('state.id');
});

it('keeps no output that is empty', () => {
  const steps = [{ type: 'model_output' }, { type: 'function_call', id: 'c1', name: 'now', arguments: {} }];
  expect(last(interactionEvents(steps))).toMatchObject({ state: { steps: steps.slice(1) } });
});

it('takes calls that only its end names, and knows by their ids those that it has', () => {
  const call = (id: string) => ({ type: 'function_call', id, name: 'now', arguments: {} });
  const text = output('Hi.');
  const events = interactionEvents([text, call('c1')]).map((event) =>
    'interaction' in event && event['event_type'] === 'interaction.completed'
      ? { ...event, interaction: { ...(event['interaction'] as object), steps: [text, call('c1'), call('c2')] } }
      : event,
  );
  const parts = partsOf(events);
  expect(parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))).toEqual(['c1', 'c2']);
  expect(joined(parts, 'text-delta')).toBe('Hi.');
});

it('takes a call that comes whole, and an answer that comes at its end', () => {
  const call = { type: 'function_call', id: 'c1', name: 'read', arguments: { path: 'a' } };
  const whole = [
    { event_type: 'step.start', index: 0, step: call },
    { event_type: 'step.stop', index: 0 },
    { event_type: 'interaction.completed', interaction: { status: 'requires_action' } },
  ];
  const made = { type: 'tool-call', callId: 'c1', input: { path: 'a' } };
  expect(partsOf(whole)).toMatchObject([{}, made, { reason: 'tool-calls', state: { steps: [call] } }]);
  const late = { status: 'completed', steps: [output('Hi.'), call] };
  expect(partsOf([{ event_type: 'interaction.completed', interaction: late }])).toMatchObject([
    { type: 'text-delta', text: 'Hi.' },
    {},
    made,
    { reason: 'tool-calls' },
  ]);
});

describe('the end', () => {
  it.each([
    ['completed', 'stop', undefined],
    ['incomplete', 'length', undefined],
    ['budget_exceeded', 'length', undefined],
    ['requires_continuation', 'length', undefined],
    ['failed', 'error', 'The interaction ended as failed.'],
    ['cancelled', 'error', 'The interaction ended as cancelled.'],
    ['something_new', 'error', 'The interaction ended as something_new.'],
  ])('as %s is %s', (status, reason, detail) => {
    const end = last(interactionEvents([output('Hi.')], { status }));
    expect([end?.type === 'finish' && end.reason, end?.type === 'finish' && end.detail]).toEqual([reason, detail]);
  });

  it.each([
    ['Blocked for safety reasons.', 'content-filter'],
    ['The decoder is out of order.', 'error'],
  ])('with an output that says "%s" is %s, and that output does not go back', (message, reason) => {
    const events = interactionEvents([output('Hi.'), output('Hm')]).map((event) =>
      event['event_type'] === 'step.start' && event['index'] === 1
        ? { ...event, step: { type: 'model_output', error: { code: 3, message } } }
        : event,
    );
    expect(last(events)).toMatchObject({ reason, detail: message, state: { steps: [output('Hi.')] } });
  });

  it('cuts off a call that was not written to its end', () => {
    const start = { event_type: 'step.start', index: 0, step: { type: 'function_call', id: 'c1', name: 'read' } };
    const delta = { event_type: 'step.delta', index: 0, delta: { type: 'arguments_delta', arguments: '{"pa' } };
    const end = { event_type: 'interaction.completed', interaction: { status: 'incomplete' } };
    expect(partsOf([start, delta, end]).slice(-2)).toMatchObject([
      { type: 'tool-call', input: {}, invalidInput: '{"pa' },
      { reason: 'length', state: { steps: [{ arguments: {} }] } },
    ]);
    expect(partsOf([start, end]).slice(-2)).toMatchObject([{ input: {}, invalidInput: '' }, { reason: 'length' }]);
  });

  it('is missed, and an error is thrown', () => {
    const events = interactionEvents([output('Hi.')]);
    expect(progressOf(events.slice(0, -1))).toBe('begun');
    expect(progressOf([])).toBe('none');
    const error = { event_type: 'error', error: { code: 'resource_exhausted', message: 'Slow down.' } };
    const reported = expect.objectContaining({ report: error.error });
    expect(() => partsOf([...events.slice(0, 3), error])).toThrow(reported as Error);
    expect(() => partsOf([{ event_type: 'error' }])).toThrow('has an error');
  });
});

describe('the tools of Google', () => {
  const provider = { type: 'tool-call', executedBy: 'provider' };
  const delta = (index: number, more: object) => ({ event_type: 'step.delta', index, delta: more });

  it('show their calls, and their results go back', () => {
    const steps = [
      { type: 'google_search_call', id: 'g1', arguments: { queries: ['a'] }, signature: 's1' },
      { type: 'google_search_result', call_id: 'g1', result: [{ search_suggestions: '<div>' }], signature: 's2' },
      { type: 'url_context_result', call_id: 'u1', result: [{ url: 'https://u.example', status: 'success' }] },
      { type: 'mcp_server_tool_call', id: 'm1', name: 'look_up', server_name: 's', arguments: { a: 1 } },
    ];
    const tools = [{ type: 'native', name: 'web', definition: { type: 'google_search' } }] as const;
    expect(partsOf(interactionEvents(steps), { tools })).toMatchObject([
      { ...provider, callId: 'g1', name: 'web', input: { queries: ['a'] } },
      { type: 'source', url: 'https://u.example' },
      { ...provider, callId: 'm1', name: 'look_up', input: { a: 1 } },
      { type: 'finish', reason: 'stop', state: { steps } },
    ]);
  });

  it('may sign an output, which goes back signed', () => {
    const events = interactionEvents([output('Hi.')]);
    events.splice(-2, 0, delta(0, { type: 'thought_signature', signature: 's1' }));
    expect(last(events)).toMatchObject({ state: { steps: [{ ...output('Hi.'), signature: 's1' }] } });
  });

  it('may be reported in pieces', () => {
    const start = { event_type: 'step.start', index: 0, step: { type: 'code_execution_call', id: 'x1' } };
    const code = { language: 'python', code: 'print(1)' };
    const events = [
      start,
      delta(0, { type: 'code_execution_call', arguments: code, signature: 's1' }),
      { event_type: 'step.stop', index: 0 },
      ...interactionEvents([]),
    ];
    expect(partsOf(events)).toMatchObject([
      { ...provider, callId: 'x1', name: 'code_execution', input: code },
      { state: { steps: [{ type: 'code_execution_call', id: 'x1', arguments: code, signature: 's1' }] } },
    ]);
  });

  it('cite each page once, and make files', () => {
    const annotations = [
      { type: 'url_citation', url: 'https://a.example', title: 'A' },
      { type: 'url_citation', url: 'https://a.example' },
      { type: 'file_citation', file_name: 'a.txt' },
    ];
    const image = { type: 'image', mime_type: 'image/png', data: 'iVBO' };
    const step = { type: 'model_output', content: [{ type: 'text', text: 'A.', annotations }, image] };
    expect(partsOf(interactionEvents([step]))).toMatchObject([
      { type: 'text-delta', text: 'A.' },
      { type: 'source', url: 'https://a.example', title: 'A' },
      { type: 'file', mediaType: 'image/png', data: 'iVBO' },
      { type: 'finish', state: { steps: [step] } },
    ]);
  });
});
