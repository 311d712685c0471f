import { expect, it } from 'vitest';
import { sourcesOf, warningsOf } from './deceit.ts';
import { texts } from './texts.ts';

it('warns of what is not seen, of names that pretend, and of what is too long to be seen', () => {
  expect(warningsOf({ path: '/notes.md' }, ['Read'])).toEqual([]);
  expect(warningsOf({}, [{ list: [{ 'a\u200b': 1 }] }])).toEqual([texts.unseen]);
  expect(warningsOf({ to: 'p\u0430ypal.com' }, [])).toEqual([texts.mixed('p\u0430ypal')]);
  expect(warningsOf({ code: 'a\n'.repeat(41) }, [])).toEqual([texts.long]);
  expect(warningsOf({ list: ['a'.repeat(4_001)] }, [])).toEqual([texts.long]);
});

it('names what a run has read of others, in one line of bounded length', () => {
  expect(sourcesOf(['open_link', '/notes/a.md (open_link)'])).toBe('open_link, /notes/a.md (open_link)');
  expect(sourcesOf(Array.from({ length: 20 }, () => 'x'.repeat(1_000))).length).toBeLessThan(520);
});
