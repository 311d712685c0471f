/** Characters with a meaning in Markdown: code, elements, link targets, and escapes. */
const active = /\\(?=[!-/:-@[-`{-~]|$)|`|(?<=\])[(:]|(?<=!)\[|<(?=[a-z/!?]|$)/gi;

/** Escapes page text so that it cannot form links, images, code or elements of its own. */
export function plainWords(words: string, before: string): string {
  const text = words.replaceAll(active, (sign, at: number) => {
    const left = at === 0 ? before.at(-1) : words[at - 1];
    // At a possible end of a URL, renderers treat a backslash as part of it.
    return sign === '<' && left !== undefined && /\S/.test(left) ? '&lt;' : `\\${sign}`;
  });
  const goesOn = (before.endsWith(']') && /^[(:]/.test(text)) || (before.endsWith('!') && text.startsWith('['));
  const begins = before === '' && /^~(?:~|$)/.test(text); // a fence, perhaps split
  return goesOn || begins ? `\\${text}` : text;
}

/** Escapes a URL as a link target. */
export function linkTarget(address: string): string {
  return address.replaceAll(/[()\\`]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The shortest code fence that the code does not contain. */
export function fenceAround(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(runs.reduce((most, { length }) => Math.max(most, length + 1), 3));
}
