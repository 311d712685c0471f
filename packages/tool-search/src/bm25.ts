/** Something to be found: its texts, and how much a word in each of them counts. */
export type Searchable = readonly (readonly [text: string, weight: number])[];

/** How fast a word that is there again and again counts less, and how much long texts count less. */
const saturation = 1.2;
const lengthShare = 0.75;

/** The indices of what a query finds among documents, best first (Okapi BM25). Equally good ones stay in their order. */
export function rank(documents: readonly Searchable[], query: string): readonly number[] {
  const asked = new Set(wordsOf(query, { withSingles: false }));
  const counts = documents.map(count);
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length);
  const scores = counts.map(() => 0);
  for (const word of asked) {
    const having = counts.filter(({ byWord }) => byWord.has(word)).length;
    const rarity = Math.log(1 + (counts.length - having + 0.5) / (having + 0.5));
    for (const [index, { byWord, length }] of counts.entries()) {
      const times = byWord.get(word) ?? 0;
      const damping = saturation * (1 - lengthShare + (lengthShare * length) / average);
      scores[index] = (scores[index] ?? 0) + (rarity * times * (saturation + 1)) / (times + damping || 1);
    }
  }
  const found = [...scores.entries()].filter(([, score]) => score > 0);
  return found.sort(([, a], [, b]) => b - a).map(([index]) => index);
}

function count(document: Searchable): { readonly byWord: ReadonlyMap<string, number>; readonly length: number } {
  const byWord = new Map<string, number>();
  let length = 0;
  for (const [text, weight] of document) {
    const words = wordsOf(text, { withSingles: true });
    for (const word of words) byWord.set(word, (byWord.get(word) ?? 0) + weight);
    length += words.length;
  }
  return { byWord, length };
}

const piece = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|\p{sc=Hangul}+|\p{N}+|\p{L}[\p{L}\p{M}]*/gu;
const unspaced = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Hangul}]/u;

/** The words of a text, `camelCase` and `snake_case` taken apart. What is written without spaces: each two characters. */
function wordsOf(text: string, { withSingles }: { readonly withSingles: boolean }): readonly string[] {
  const spaced = text.normalize('NFKC').replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return [...spaced.toLowerCase().matchAll(piece)].flatMap(([word]) => {
    if (!unspaced.test(word)) return /^[a-z]{3,}[^s]s$/.test(word) ? word.slice(0, -1) : word;
    const singles = [...word];
    const pairs = singles.slice(1).map((character, index) => `${singles[index]}${character}`);
    return withSingles || pairs.length === 0 ? [...singles, ...pairs] : pairs;
  });
}
