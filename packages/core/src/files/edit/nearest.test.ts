import { describe, expect, it } from 'vitest';
import { createNearest } from './nearest.ts';
import type { Replacement } from './replacement.ts';

const nearest = (text: string, replacement: Replacement): string => createNearest(text)(replacement);

describe('nearest', () => {
  it('says little of a text that is long, or has many lines like it', () => {
    const line = `let value = ${'x'.repeat(2000)}`;
    const text = `${line}\n`.repeat(5000);
    expect(nearest(text, { oldText: `${line}y`, newText: '' }).length).toBeLessThan(600);
    expect(nearest(text, { oldText: `${line}y\n`.repeat(3000), newText: '' }).length).toBeLessThan(600);
  });

  it('looks at the first 20,000 lines', () => {
    const text = (count: number): string => `${'-\n'.repeat(count)}the line that is meant\n`;
    const replacement = { oldText: 'the line which is meant', newText: '' };
    expect(nearest(text(19_999), replacement)).toContain('line 20000, "the line that is meant"');
    expect(nearest(text(20_000), replacement)).toBe('Nothing in the file is much like it: read the file again.');
  });

  it('looks at the first million characters', () => {
    const text = (count: number): string => `${`${'x'.repeat(200)}\n`.repeat(count)}the line that is meant\n`;
    const replacement = { oldText: 'the line which is meant', newText: '' };
    expect(nearest(text(4_999), replacement)).toContain('line 5000, "the line that is meant"');
    expect(nearest(text(5_000), replacement)).toBe('Nothing in the file is much like it: read the file again.');
  });

  it('says that a difference is behind the lines that it looked at', () => {
    const text = 'a line like others\n'.repeat(30_000);
    expect(nearest(text, { oldText: `${text}the last one`, newText: '' })).toBe(
      'Most alike: lines 1 to 20000, and the difference is behind them. Take the text as it is in the file.',
    );
  });

  it('prefers the lines where most of several are alike', () => {
    const text = 'open the door\nx\nopen the door\ntake the key\nleave\n';
    expect(nearest(text, { oldText: 'open the door\ntake a key\nleave', newText: '' })).toBe(
      'Most alike: lines 3 to 5, different at first on line 4, "take the key". Take the text as it is in the file.',
    );
  });
});
