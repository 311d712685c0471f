import { expect, it } from 'vitest';
import { isMessage } from './message-shape.ts';

const messageOf = (part: unknown): unknown => ({ id: '1', role: 'assistant', createdAt: 0, parts: [part] });
const call = { type: 'tool-call', callId: 'c', name: 'look', input: {}, executedBy: 'us' };
const result = { type: 'tool-result', callId: 'c', name: 'look', output: 1, isError: false };

it.each<[string, unknown]>([
  ['nothing in the place of a part', null],
  ['a text without its words', { type: 'text' }],
  ['an image without a type', { type: 'image', data: 'AA==' }],
  ['an image whose data is no text', { type: 'image', mediaType: 'image/png', data: 5 }],
  ['a recording without a type', { type: 'audio', data: 'AA==' }],
  ['a recording whose name is no text', { type: 'audio', mediaType: 'audio/wav', name: {} }],
  ['a link without an address', { type: 'resource-link', name: 'a' }],
  ['a link of a size that is no number', { type: 'resource-link', uri: 'a:b', name: 'a', size: '9' }],
  ['a source without an address', { type: 'source' }],
  ['a call without its input', { ...call, input: undefined }],
  ['a call whose input is a list', { ...call, input: [1] }],
  ['a result without what the model saw', result],
  ['a result with a damaged part', { ...result, modelParts: [{ type: 'text' }] }],
])('takes no message with %s for one that can be shown', (_, part) => {
  expect(isMessage(messageOf(part))).toBe(false);
});

it.each<[string, unknown]>([
  ['that is a recording', { type: 'audio', mediaType: 'audio/wav', data: 'AA==' }],
  ['that is a link', { type: 'resource-link', uri: 'a:b', name: 'a', size: 9 }],
  ['of a kind that a later version may have', { type: 'hologram' }],
  ['named like a member of every object', { type: 'constructor' }],
  ['as an earlier version stored it', call],
  ['that failed', { ...result, isError: true, modelParts: [{ type: 'text', text: 'No.' }] }],
])('takes a message with a part %s', (_, part) => {
  expect(isMessage(messageOf(part))).toBe(true);
});
