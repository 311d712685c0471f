/** Normalized words of a text, with whole tags (`#project/utensil`). Scripts without spaces: single characters. */
export function wordsIn(text: string): readonly string[] {
  return text.normalize('NFKC').toLowerCase().match(word) ?? [];
}

const word =
  /(?<![\p{L}\p{N}])#[\p{L}\p{N}_/-]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}_]+/gu;

/** True if a query word is a tag. */
export function isTag(text: string): boolean {
  return text.startsWith('#');
}

/** Stop words; a query of stop words alone is used unchanged. */
const empty: ReadonlySet<string> = new Set(
  'a,an,and,are,as,at,be,by,for,from,has,have,how,i,in,is,it,my,of,on,or,that,the,this,to,was,what,when,where,which,who,with,you'.split(
    ',',
  ),
);

/** Significant words of a query. */
export function queryWords(query: string): readonly string[] {
  const words = [...new Set(wordsIn(query))];
  const telling = words.filter((each) => !empty.has(each));
  return telling.length === 0 ? words : telling;
}
