import { describe, expect, it } from 'vitest';
import { loosest, toForm } from './form.ts';

describe('toForm', () => {
  it('leaves letters as they are that whole texts are made of', () => {
    const units = Array.from({ length: 0xd800 }, (_, unit) => unit).filter((unit) => unit >= 0xa0);
    const isKept = (character: string): boolean => toForm(`${character}.`, loosest)?.text === `${character}.`;
    const differs = (unit: number): boolean => isKept(String.fromCharCode(unit)) !== isPlain(String.fromCharCode(unit));
    expect(units.filter(differs)).toEqual([]);
  });

  it('remembers where units come from, and nothing else', () => {
    const form = toForm('中文 “é”\r\nﬁn', loosest);
    expect(form?.text).toBe('中文 "é"\nfin');
    const starts = Array.from(form?.text ?? '', (_, index) => form?.startOf(index));
    expect(starts).toEqual([0, 1, 2, 3, 4, 5, 6, 8, 8, 9]);
  });

  it('gives up where a text has too many units', () => {
    const most = 2 * 1024 * 1024;
    expect(toForm('a\r\n'.repeat(most / 2), loosest)).toBeDefined();
    expect(toForm('a\r\n'.repeat(most / 2 + 1), loosest)).toBeUndefined();
    expect(toForm('a\n'.repeat(2 * most), loosest)).toBeDefined();
  });
});

/** True if no other character decomposes to this one, according to Unicode. */
function isPlain(character: string): boolean {
  const isWrittenForOthers = /[\u2018-\u201f\u2032\u2033\u00b4\u2010-\u2015\u2212\p{Zs}\u00ad\u200b\u2060]/u.test(
    character,
  );
  return !isWrittenForOthers && character.normalize('NFKC') === character;
}
