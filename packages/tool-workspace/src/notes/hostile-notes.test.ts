import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { chunksOf } from './chunk.ts';
import { linkedNote, linksIn, noteNames } from './note.ts';
import { tagsIn } from './tags.ts';

describe('hostile notes', () => {
  it('do not hold up what reads a heading of a hundred thousand blanks', () => {
    const blanks = ' '.repeat(100_000);
    for (const line of [
      `# a${blanks}b`,
      `#${blanks}#${blanks}b`,
      `# ${'#'.repeat(100_000)}${blanks}b`,
      `${'# '.repeat(50_000)}b`,
    ])
      expect(chunksOf(line, 10)).toHaveLength(1);
  });

  it('have the headings that they had', () => {
    const naive = /^(#{1,6})\s+(.*?)\s*#*$/;
    const line = fc.string({ unit: fc.constantFrom('#', ' ', 'a', '\t'), maxLength: 12 });
    fc.assert(
      fc.property(
        line.map((each) => each.trimEnd()),
        (line) => {
          const text = naive.exec(line)?.[2];
          expect(chunksOf(`${line}\nx`, 10)[0]?.headings).toEqual(text === undefined ? [] : [text]);
        },
      ),
    );
  });

  it('with as many links as fit do not look through all notes for each', () => {
    const notes = Array.from({ length: 2_000 }, (_, index) => `/d/${index}.md`);
    const names = noteNames(notes);
    const folds = vi.spyOn(String.prototype, 'toLowerCase');
    const links = linksIn('[[d/7]] [x](d/8.md) '.repeat(5_000));
    const found = links.map((link) => linkedNote(names, '/a.md', link));
    const count = folds.mock.calls.length;
    folds.mockRestore();
    expect([found.length, ...new Set(found)]).toEqual([10_000, '/d/7.md', '/d/8.md']);
    expect(count).toBeLessThan(200_000);
  });

  it('do not hold up what looks for tags', () => {
    for (const text of [
      '#1'.repeat(500_000),
      '`'.repeat(500_000),
      ' #'.repeat(500_000),
      `---\ntags:\n${'- \n'.repeat(300_000)}`,
    ])
      expect(tagsIn(text).length).toBeLessThan(100_000);
  });
});
