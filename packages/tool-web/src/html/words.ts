/** What would be more than text in Markdown: code, elements, the target of a link, and what escapes these. */
const active = /\\(?=[!-/:-@[-`{-~]|$)|`|(?<=\])[(:]|(?<=!)\[|<(?=[a-z/!?]|$)/gi;

/** Words of a page as Markdown that says the same and is no link, image, code or element of its own making. */
export function plainWords(words: string, before: string): string {
  const text = words.replaceAll(active, (sign, at: number) => {
    const left = at === 0 ? before.at(-1) : words[at - 1];
    // Where an address could end, renderers take a backslash for a part of it.
    return sign === '<' && left !== undefined && /\S/.test(left) ? '&lt;' : `\\${sign}`;
  });
  const goesOn = (before.endsWith(']') && /^[(:]/.test(text)) || (before.endsWith('!') && text.startsWith('['));
  const begins = before === '' && /^~(?:~|$)/.test(text); // a fence, perhaps in pieces
  return goesOn || begins ? `\\${text}` : text;
}

/** An address as the target of a link, which ends where the link does. */
export function linkTarget(address: string): string {
  return address.replaceAll(/[()\\`]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The shortest fence of code that the code itself has not. */
export function fenceAround(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), 3));
}
