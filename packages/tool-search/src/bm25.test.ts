import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSearch } from './bm25.ts';
import type { Searchable } from './bm25.ts';

const texts = (...all: readonly string[]): readonly Searchable[] => all.map((text) => [[text, 1]]);

describe('what a query finds', () => {
  it.each([
    [
      'the rarer word counts more',
      'send letter',
      ['send mail', 'send letter', 'send fax', 'open letter'],
      [1, 3, 0, 2],
    ],
    ['names are taken apart', 'git commit', ['listCommits of git', 'create_git_commit', 'HTTPServer'], [1, 0]],
    ['one or many is the same', 'file', ['lists files', 'status'], [0]],
    ['a word that is there more often counts more', 'a', ['b b b a', 'a a b b', 'b b b b'], [1, 0]],
    ['accents and widths are words', 'ＣＡＦÉ', ['a café', 'a cafe'], [0]],
    ['Japanese', '翻訳', ['文章を翻訳する', '画像を編集する'], [0]],
    ['Chinese, one character', '猫', ['黑猫', '白狗'], [0]],
    ['Chinese, not by single characters', '天气', ['今天很好', '天气预报'], [1]],
    ['Korean', '날씨', ['오늘의 날씨를', '뉴스'], [0]],
    ['nothing', 'zebra', ['horse'], []],
    ['no word', '?!', ['horse'], []],
  ] as const)('%s', (_, query, documents, found) => {
    expect(createSearch(texts(...documents))(query)).toEqual(found);
  });

  it('counts a word by the weight of the text that it is in', () => {
    const inDescription: Searchable = [
      ['other', 3],
      ['weather', 1],
    ];
    const inName: Searchable = [
      ['weather', 3],
      ['other', 1],
    ];
    expect(createSearch([inDescription, inName])('weather')).toEqual([1, 0]);
  });

  it('is each document at most once, and has a word of the query, whatever is searched', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'É', ' ', '_', '7', '猫', '犬', '😀'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), text, (documents, query) => {
        const found = createSearch(texts(...documents))(query);
        expect(new Set(found).size).toBe(found.length);
        expect(found.every((index) => documents[index] !== undefined)).toBe(true);
        const words = query.toLowerCase().match(/[ab]+|é|7|猫|犬/g) ?? [];
        const itself = documents.indexOf(query);
        expect(found.length === 0 || words.length > 0).toBe(true);
        expect(itself < 0 || words.length === 0 || found.includes(itself)).toBe(true);
      }),
    );
  });
});
