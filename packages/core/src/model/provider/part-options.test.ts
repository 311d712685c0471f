import { expect, it } from 'vitest';
import { isMessage } from '../../thread/message-shape.ts';
import type { ContentPart } from '../message.ts';
import { withPartOptions } from './part-options.ts';

const part: ContentPart = {
  type: 'text',
  text: 'Hi',
  providerOptions: { mine: { type: 'other', source: { type: 'url', more: 1 }, cached: true } },
};

it('options of a part for one API go to no other, and do not change the part', () => {
  const wire = { type: 'text', source: { type: 'text' } };
  expect(withPartOptions(wire, part, 'mine')).toEqual({
    type: 'text',
    source: { type: 'text', more: 1 },
    cached: true,
  });
  expect(withPartOptions(wire, part, 'yours')).toBe(wire);
  expect(withPartOptions(wire, { type: 'resource-link', uri: 'a:b', name: 'c' }, 'mine')).toBe(wire);
});

it('a stored part has options by api, or is damaged', () => {
  const stored = (providerOptions: unknown) => ({
    id: 'm',
    role: 'user',
    parts: [{ type: 'text', text: 'Hi', providerOptions }],
    createdAt: 0,
  });
  expect([undefined, {}, { mine: {} }].map((options) => isMessage(stored(options)))).toEqual([true, true, true]);
  expect([null, 'x', { mine: 'x' }].map((options) => isMessage(stored(options)))).toEqual([false, false, false]);
});
