/** A searchable document: its texts, each with a weight. */
export type Searchable = readonly (readonly [text: string, weight: number])[];

/** Returns the indexes of matching documents, best first. Ties keep their order. */
export type Search = (query: string) => readonly number[];

/** BM25 parameters: saturation of repeated words, and length normalization. */
const saturation = 1.2;
const lengthShare = 0.75;

/** Creates a full-text index (Okapi BM25). */
export function createSearch(documents: readonly Searchable[]): Search {
  const timesOf = new Map<string, Map<number, number>>(); // by word and document
  const lengths = documents.map((document, index) => {
    let length = 0;
    for (const [text, weight] of document) {
      const words = wordsOf(text, { withSingles: true });
      for (const word of words) add(timesOf, word, [index, weight]);
      length += words.length;
    }
    return length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;

  return (query) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query, { withSingles: false }))) {
      const having = timesOf.get(word) ?? new Map<number, number>();
      const rarity = Math.log(1 + (lengths.length - having.size + 0.5) / (having.size + 0.5));
      for (const [index, times] of having) {
        const damping = saturation * (1 - lengthShare + (lengthShare * (lengths[index] ?? 0)) / average);
        const score = (rarity * times * (saturation + 1)) / (times + damping);
        scores.set(index, (scores.get(index) ?? 0) + score);
      }
    }
    return [...scores].sort(([a, one], [b, other]) => other - one || a - b).map(([index]) => index);
  };
}

function add(
  timesOf: Map<string, Map<number, number>>,
  word: string,
  [index, weight]: readonly [number, number],
): void {
  const times = timesOf.get(word) ?? new Map<number, number>();
  timesOf.set(word, times.set(index, (times.get(index) ?? 0) + weight));
}

const piece = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]+|\p{sc=Hangul}+|\p{N}+|\p{L}[\p{L}\p{M}]*/gu;
const unspaced = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー\p{sc=Hangul}]/u;

/** Words of a text, with `camelCase` and `snake_case` split. Scripts without spaces are split into bigrams. */
function wordsOf(text: string, { withSingles }: { readonly withSingles: boolean }): readonly string[] {
  if (/^[\0-\x7f]*$/.test(text)) return (lower(text).match(/[a-z]+|\d+/g) ?? []).map(singular); // ASCII takes a tenth of the time
  return (lower(text.normalize('NFKC')).match(piece) ?? []).flatMap((word) => {
    if (!unspaced.test(word)) return singular(word);
    const singles = [...word];
    const pairs = singles.slice(1).map((character, index) => `${singles[index]}${character}`);
    return withSingles || pairs.length === 0 ? [...singles, ...pairs] : pairs;
  });
}

function lower(text: string): string {
  return text.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase();
}

function singular(word: string): string {
  return /^[a-z]{2,}[^s]s$/.test(word) ? word.slice(0, -1) : word;
}
