// The glossary as data: its terms, and the words that they replace.

export interface Term {
  readonly term: string;
  readonly instead: readonly string[];
}

/** Rows of the table: `| term | meaning | "word", "other word" |`. Throws if there are none. */
export function readGlossary(markdown: string): readonly Term[] {
  const terms = markdown.split('\n').flatMap((row) => {
    const [, term, , instead] = /^\|\s*\*\*([^*|]+)\*\*\s*\|([^|]*)\|([^|]*)\|\s*$/.exec(row) ?? [];
    if (term === undefined || instead === undefined) return [];
    return [{ term, instead: [...instead.matchAll(/"([^"]+)"/g)].map(([, word = '']) => word) }];
  });
  if (terms.length === 0) throw new Error('The glossary has no terms.');
  return terms;
}

/** A pattern for a replaced word, in any case and without endings: the glossary lists each form. */
export function wordPattern(word: string): RegExp {
  const escaped = word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w-])${escaped}(?![\w-])`, 'gi');
}
