/** Words of a text as they are compared, with tags (`#project/utensil`) whole. Of scripts without spaces, each character. */
export function wordsIn(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(word) ?? [];
}

const word =
  /(?<![\p{L}\p{N}])#[\p{L}\p{N}_/-]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+/gu;

/** Whether a word of a query is a tag. */
export function isTag(text: string): boolean {
  return text.startsWith('#');
}

/** Words that say nothing of what is sought; a query of these alone is taken as it is. */
const empty: ReadonlySet<string> = new Set(
  'a an and are as at be by for from has have how i in is it my of on or that the this to was what when where which who with you'.split(
    ' ',
  ),
);

/** The words of a query that say something. */
export function queryWords(query: string): readonly string[] {
  const words = [...new Set(wordsIn(query))];
  const telling = words.filter((each) => !empty.has(each));
  return telling.length === 0 ? words : telling;
}
