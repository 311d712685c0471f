import { expect, it } from 'vitest';
import type { Message } from '../message.ts';
import { type Media, describeFile, isTextFile, ownReasoning, textInFile } from './content.ts';

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
});

it('describes a file, and says nothing of a name that it does not have', () => {
  expect(describeFile({ type: 'image', mediaType: 'image/tiff', url: 'https://a.example/b' })).toBe(
    '[Image (image/tiff) at https://a.example/b, not shown to this model]',
  );
  expect(describeFile(file('a/b', '', { name: 'c' }))).toBe('[File "c" (a/b), not shown to this model]');
  expect(describeFile({ type: 'file', mediaType: 'a/b', name: undefined } as object as Media)).toBe(
    '[File (a/b), not shown to this model]',
  );
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
