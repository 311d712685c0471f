import type { Message } from '@utensil/core';
import { user } from '@utensil/tooling-loopback/continuity';
import { expect, it } from 'vitest';
import { describeCell } from './compare.ts';
import { stateOf, vendors } from './vendors.ts';

const [from, , to] = vendors;
if (from === undefined || to === undefined) throw new Error('There are too few vendors.');

const messages: readonly Message[] = [
  user('Begin.'),
  {
    id: 'a',
    role: 'assistant',
    createdAt: 0,
    origin: { api: 'anthropic-messages', model: 'm', state: [] },
    parts: [
      { type: 'reasoning', text: 'I think.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', callId: 'c1', name: 'read', input: { path: 'a' }, executedBy: 'us' },
    ],
  },
];

const told = { id: 'c1', function: { name: 'read', arguments: '{"path":"a"}' } };
const interrupted =
  'This call has no result: it was interrupted, or nobody answered. It may or may not have taken effect.';
const wordsFor = (call: object, content: string, ...more: readonly string[]) =>
  describeCell({
    from,
    to,
    messages,
    body: {
      messages: [
        { role: 'user', content: 'Begin.' },
        { role: 'assistant', content: 'I look.', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content },
        ...more.map((text) => ({ role: 'user', content: text })),
      ],
    },
  });

it('says what was kept', () => {
  expect(wordsFor(told, interrupted)).toBe(`## openaiChat

- texts: kept
- thoughts: dropped
- what anthropic wants back: dropped
- \`read\` \`{"path":"a"}\`: id kept, name kept, input kept, answered as interrupted, a failure by its words
`);
});

it.for([
  ['an id', { ...told, id: 'other' }, 'id adapted'],
  ['a name', { ...told, function: { ...told.function, name: 'read_it' } }, 'name adapted to `read_it`'],
  ['an input', { ...told, function: { ...told.function, arguments: '{}' } }, 'input {}'],
] as const)('says that %s is another', ([, call, words]) => {
  expect(wordsFor(call, interrupted)).toContain(words);
});

it('says that a result is another, and what has gone where it should not', () => {
  expect(wordsFor(told, 'ok')).toContain('result changed');
  expect(wordsFor(told, interrupted, 'I think.')).toContain('thoughts: kept');
  expect(wordsFor(told, interrupted, stateOf(from))).toContain('wants back: given back');
});

it('says what is missing, and what nobody said', () => {
  const without = describeCell({ from, to, messages, body: { messages: [{ role: 'user', content: 'Begin.' }] } });
  expect(without).toContain('texts: 1 of 2 kept');
  expect(without).toContain('`read` `{"path":"a"}`: dropped');
  const twice = { messages: [{ tool_calls: [told, told] }] };
  expect(describeCell({ from, to, messages, body: twice })).toContain('and 1 calls that nobody made');
});
