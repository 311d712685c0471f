import type { Message } from '@utensil/core';
import { expect, it } from 'vitest';
import { isUnfinished } from './unfinished.ts';

const message = (role: Message['role'], more: Partial<Message> = {}): Message => ({
  id: role,
  role,
  parts: [{ type: 'text', text: 'x' }],
  createdAt: 0,
  ...more,
});
const calling = message('assistant', {
  parts: [{ type: 'tool-call', callId: '1', name: 'read', input: {}, executedBy: 'us' }],
});

it.each<[string, readonly Message[], boolean]>([
  ['nothing', [], false],
  ['an answer', [message('user'), message('assistant')], false],
  ['a request', [message('user')], true],
  ['a call', [message('user'), calling], true],
  ['a result', [message('user'), calling, message('tool')], true],
  ['the beginning of an answer', [message('user'), message('assistant', { incomplete: true })], true],
])('a conversation that ends with %s', (_, messages, expected) => {
  expect(isUnfinished(messages)).toBe(expected);
});
