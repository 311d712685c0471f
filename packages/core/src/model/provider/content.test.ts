import { expect, it } from 'vitest';
import type { Message } from '../message.ts';
import type { Media } from '../media.ts';
import { isTextFile, ownReasoning, textInFile, toWords } from './content.ts';

const file = (mediaType: string, data?: string, more: Partial<Media> = {}): Media => ({
  type: 'file',
  mediaType,
  ...(data !== undefined && { data }),
  ...more,
});

it('reads files that are text by their type and by their bytes', () => {
  expect(textInFile(file('text/plain', btoa('Hi.')))).toBe('Hi.');
  expect(textInFile(file('application/ld+json', btoa('{}')))).toBe('{}');
  expect(textInFile(file('text/plain', btoa('\u0000')))).toBeUndefined();
  expect(textInFile(file('text/plain', 'no base64!'))).toBeUndefined();
  expect(textInFile(file('text/plain'))).toBeUndefined();
  expect(textInFile(file('image/png', btoa('Hi.')))).toBeUndefined();
  expect(isTextFile(file('application/pdf'))).toBe(false);
  expect(isTextFile(file('text/html', undefined, { type: 'audio' }))).toBe(false); // whatever it calls itself
});

it('puts every part into words: texts unchanged, text files with their names, all else as a line', () => {
  expect(toWords({ type: 'text', text: 'Hi.\n' })).toBe('Hi.\n');
  expect(toWords(file('text/plain', btoa('Hi.')))).toBe('file:\nHi.');
  expect(toWords({ type: 'file', mediaType: 'text/plain', name: 'a\n\u202e.txt', data: btoa('Hi.') })).toBe(
    'a .txt:\nHi.',
  );
  expect(toWords({ type: 'audio', mediaType: 'text/html', data: btoa('<b>') })).toBe(
    '[Audio (text/html, 3 bytes), not shown to this model]',
  );
  expect(toWords({ type: 'resource-link', uri: 'a:b', name: 'c' })).toBe('[Resource link "c" at a:b, not loaded]');
});

it('gives thoughts back only to the model that thought them to their end', () => {
  const parts = [
    { type: 'reasoning', text: 'Hm' } as const,
    { type: 'text', text: 'Yes' } as const,
    { type: 'reasoning', text: '.' } as const,
  ];
  const said = (more: Partial<Message>): Message => ({ id: '1', role: 'assistant', createdAt: 0, parts, ...more });
  const model = { api: 'played', id: 'm' };
  expect(ownReasoning(said({ origin: { api: 'played', model: 'm' } }), model)).toBe('Hm.');
  expect(ownReasoning(said({ origin: { api: 'played', model: 'n' } }), model)).toBe('');
  expect(ownReasoning(said({ origin: { api: 'other', model: 'm' } }), model)).toBe('');
  expect(ownReasoning(said({ origin: { api: 'played', model: 'm' }, incomplete: true }), model)).toBe('');
});
