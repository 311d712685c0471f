/** Tags in the front matter of a note, each with `#`: `tags: [a, b]`, `tags: a, b`, or one per line. */
export function frontMatterTags(text: string): readonly string[] {
  const [, head] = /^---\r?\n([\s\S]{0,20000}?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  if (head === undefined) return [];
  const [, inline, listed] = /^tags?:[ \t]*(.*)((?:\r?\n[ \t]*-[ \t]+.*)*)/im.exec(head) ?? [];
  const names = `${inline ?? ''},${(listed ?? '').replaceAll(/\r?\n[ \t]*-[ \t]+/g, ',')}`.split(/[,\s[\]"']+/);
  return names.filter(Boolean).map((name) => `#${name.replace(/^#/, '')}`);
}
