import { frontMatterTags } from './front-matter.ts';

const code = /```[^]*?(?:```|$)|`[^`\n]*`/g;
const tag = /(?<=^|\s)#[\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*/gmu;

/** Distinct tags of a note in their first spelling, from its front matter and its text, without code. */
export function tagsIn(text: string): readonly string[] {
  const plain = text.replaceAll(code, ' ');
  const tags = new Map<string, string>();
  for (const each of [...frontMatterTags(text), ...(plain.match(tag) ?? [])])
    if (!tags.has(each.toLowerCase())) tags.set(each.toLowerCase(), each);
  return [...tags.values()];
}
