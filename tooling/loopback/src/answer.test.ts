import { expect, it } from 'vitest';
import { type Answer, play } from './answer.ts';
import { anthropicWire } from './anthropic-answer.ts';
import { sse } from './loopback.ts';
import { openaiChatWire, openaiResponsesWire } from './openai-answer.ts';

const answer: Answer = { blocks: [{ type: 'text', deltas: ['Hel', 'lo.'] }] };
const wires = [
  ['anthropicWire', anthropicWire, 'message_stop'],
  ['openaiChatWire', openaiChatWire, '[DONE]'],
  ['openaiResponsesWire', openaiResponsesWire, 'response.completed'],
] as const;

const bodyOf = (reply: ReturnType<typeof play>): string => (reply.body as readonly string[]).join('');

it.each(wires)('%s ends as it is asked to', (_, wire, end) => {
  const whole = play(answer, wire);
  expect(whole.end).toBe('end');
  expect(bodyOf(whole)).toContain(end);
  expect(bodyOf(play({ ...answer, ends: 'error' }, wire)).endsWith(sse([wire.failure]))).toBe(true);
  for (const [ends, played] of [
    ['truncated', 'destroy'],
    ['without-end', 'end'],
    ['hangs', 'hang'],
  ] as const) {
    const reply = play({ ...answer, ends }, wire);
    expect(reply.end).toBe(played);
    expect(bodyOf(reply)).toContain('lo.');
    expect(bodyOf(reply)).not.toContain(end);
  }
});

it.each(wires)('%s hides what it says among what nobody knows', (_, wire) => {
  const events = (given: Answer): number => (play(given, wire).body as readonly string[]).length;
  const reply = play({ ...answer, unknownEvents: true }, wire);
  expect(events({ ...answer, unknownEvents: true })).toBeGreaterThan(events(answer) + 2);
  expect(bodyOf(reply).match(/"unheard_of":/g)?.length).toBeGreaterThan(2);
});

it.each(wires)('%s fails as it is asked to', (_, wire) => {
  expect(play({ status: 429, message: 'Slow down.', retryAfter: 3 }, wire)).toMatchObject({
    status: 429,
    headers: { 'content-type': 'application/json', 'retry-after': '3' },
    body: expect.stringContaining('"message":"Slow down."'),
  });
  expect(play({ status: 502, page: '<html>' }, wire)).toMatchObject({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<html>',
  });
});
