import { expect, it } from 'vitest';
import { sourcesOf, warningsOf } from './deceit.ts';
import { approval as texts } from '../texts/english.ts';

it('warns of invisible characters, deceptive names and text too long to be shown', () => {
  expect(warningsOf({ path: '/notes.md' }, ['Read'], texts)).toEqual([]);
  expect(warningsOf({}, [{ list: [{ 'a\u200b': 1 }] }], texts)).toEqual([texts.unseen]);
  expect(warningsOf({ to: 'p\u0430ypal.com' }, [], texts)).toEqual([texts.mixed('p\u0430ypal')]);
  expect(warningsOf({ code: 'a\n'.repeat(41) }, [], texts)).toEqual([texts.long]);
  expect(warningsOf({ list: ['a'.repeat(4_001)] }, [], texts)).toEqual([texts.long]);
});

it('names what a run has read of others, in one line of bounded length', () => {
  expect(sourcesOf(['open_link', '/notes/a.md (open_link)'])).toBe('open_link, /notes/a.md (open_link)');
  expect(sourcesOf(Array.from({ length: 20 }, () => 'x'.repeat(1_000))).length).toBeLessThan(520);
});
