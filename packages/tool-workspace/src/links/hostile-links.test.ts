import { expect, it } from 'vitest';
import { filesOf, move, textAt } from '../test-kit/moved-notes.ts';
import { parseCost } from './parse-cost.ts';
import { linksOf } from './parse-links.ts';

it('skips notes for which no time is left', async () => {
  const text = `[[x]] ${'[a](b) '.repeat(100)}`;
  const room = { left: 2.5 * parseCost(text) };
  const found = [];
  for (let count = 0; count < 3; count++) found.push(await linksOf(text, () => undefined, room));
  expect(found.map((links) => links?.length)).toEqual([101, 101, undefined]);
});

const filler = 'a'.repeat(1_900_000);

it.each([
  ['comments that do not end', `[[x]] ${'<!-- '.repeat(3_000)}${filler}`],
  ['instructions that do not end', `[[x]] ${'<? '.repeat(3_000)}${filler}`],
  ['sections of characters that do not end', `[[x]] ${'<![CDATA[ '.repeat(2_000)}${filler}`],
  ['addresses that do not end', `[[x]] ${'<http:'.repeat(3_000)}${filler}`],
  ['destinations that do not end', `[[x]] ${'[a]('.repeat(2_000)}${filler}`],
  ['titles that do not end', `[[x]] ${'[a](x ('.repeat(2_000)}${'a\n'.repeat(900_000)}`],
  ['lists in lists on one line', `[[x]]\n${'+ '.repeat(900_000)}`],
  ['numbered lists in quotes on one line', `[[x]]\n${'> 1. '.repeat(300_000)}`],
  ['blank lines in a deep list', `[[x]]\n${'+ '.repeat(4_000)}a${'\n'.repeat(1_800_000)}`],
  [
    'blank lines in a list that deepens line by line',
    `[[x]]\n${Array.from({ length: 900 }, (_, depth) => `${' '.repeat(2 * depth)}- a\n`).join('')}${'\n'.repeat(900_000)}`,
  ],
])('skips a note that would need many seconds: %s', async (_, text) => {
  expect(await linksOf(text, () => undefined)).toBeUndefined();
});

it('does not parse notes that cannot have a link to what is moved', async () => {
  const deep = '!['.repeat(50_000);
  const files = await filesOf({ 'x.md': 'x', 'y.md': 'y', 'a.md': `[[y]] ${deep}`, 'b.md': `[x](%78.md) ${deep}` });
  expect(await move(files, 'x.md', 'z.md')).toBe(
    "Moved 'x.md' to 'z.md'\nNo links had to be updated.\nLinks were not looked for in these notes, because they are too large, too complex or unreadable: b.md",
  );
});

it('looks through large ordinary notes', async () => {
  const prose = `A line with *words*, an "x", it's (so) 3 < 4 and <b>more</b> \`code\`.\n`;
  const list = `- [ ] [task](x.md) "quoted" (in brackets)\n  - nested <!-- comment -->\n\n`;
  const table = `| [[x\\|alias]] | [x](x.md "Title") | 1 < 2 | (a) |\n`;
  for (const text of [`${prose.repeat(4)}\n`.repeat(2_000), list.repeat(5_000), table.repeat(500)])
    expect(await linksOf(`${text}\n\n[[end]]`, () => undefined)).toContainEqual({
      kind: 'wiki',
      start: text.length + 4,
      end: text.length + 7,
    });
});

it.each([
  ['[Smith [2020]](x.md)', '[Smith [2020]](d/y.md)'],
  ['[a [b] c [d]: e](x.md "t")', '[a [b] c [d]: e](d/y.md "t")'],
  ['[[1]](x.md) [[x]](x.md) ![[i]](x.md)', '[[1]](d/y.md) [[y]](d/y.md) ![[i]](d/y.md)'],
  ['\\[[x]](x.md) [[x]][[x]] [[[x]]](x.md)', '\\[[x]](x.md) [[y]][[y]] [[[y]]](d/y.md)'],
  ['[^1]: [x](x.md)\n[^2]: [[x|a]]\n[^3]: ![[x]]', '[^1]: [x](d/y.md)\n[^2]: [[y|a]]\n[^3]: ![[y]]'],
  ['> [^a]: <x.md> [x](<x.md>)\n> [^b]: [[x]] "t"', '> [^a]: <x.md> [x](<d/y.md>)\n> [^b]: [[y]] "t"'],
  ['- [x] [x](x.md)\n- [ ] [[x]] `[` [`]`](x.md)', '- [x] [x](d/y.md)\n- [ ] [[y]] `[` [`]`](d/y.md)'],
])('updates links among other brackets: %s', async (before, after) => {
  const files = await filesOf({ 'x.md': 'x', 'a.md': before });
  await move(files, 'x.md', 'd/y.md');
  expect(await textAt(files, '/a.md')).toBe(after);
});
