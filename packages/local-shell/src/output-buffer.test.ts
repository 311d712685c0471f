import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputBuffer } from './output-buffer.ts';

describe('the buffer of output', () => {
  it('gives all that fits, once', () => {
    const buffer = outputBuffer(10);
    buffer.add('abc');
    buffer.add('def');
    expect(buffer.take()).toEqual({ text: 'abcdef', dropped: 0 });
    expect([buffer.take(), buffer.isEmpty]).toEqual([{ text: '', dropped: 0 }, true]);
  });

  it('keeps the last of what does not, and counts the rest', () => {
    const buffer = outputBuffer(4);
    for (const letter of 'abcdefghijkl') buffer.add(letter);
    expect(buffer.take()).toEqual({ text: 'ijkl', dropped: 8 });
  });

  it('is full before anything is lost, so that who reads in time loses nothing', () => {
    const buffer = outputBuffer(10);
    buffer.add('abcd');
    expect(buffer.isFull).toBe(false);
    buffer.add('e');
    expect(buffer.isFull).toBe(true);
    expect(buffer.take()).toEqual({ text: 'abcde', dropped: 0 });
  });

  it('splits no character of two halves', () => {
    const buffer = outputBuffer(3);
    buffer.add('🥖🥖');
    expect(buffer.take()).toEqual({ text: '🥖', dropped: 2 });
  });

  it('loses nothing that it does not count, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 50 }), { maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        (pieces, limit) => {
          const buffer = outputBuffer(limit);
          for (const piece of pieces) buffer.add(piece);
          const all = pieces.join('');
          const { text, dropped } = buffer.take();
          expect(all.slice(dropped)).toBe(text);
          expect(text.length).toBeLessThanOrEqual(limit);
          expect(text.length).toBe(Math.min(limit, all.length));
        },
      ),
      { numRuns: 300 },
    );
  });
});
