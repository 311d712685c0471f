/** Words at which a scan has to look closer. */
export interface Signs {
  /** How much of the text precedes the first of them, and the beginning of one that may be cut off at the end. */
  plainLength(text: string, isEnded: boolean): number;
}

/** One regular expression for all words: text without any of them is skipped as fast as the engine searches. */
export function createSigns(given: readonly string[]): Signs {
  const all = [...new Set(given.filter((word) => word !== ''))];
  const words = all.filter((word) => !all.some((other) => other !== word && word.startsWith(other)));
  const longest = Math.max(...words.map(({ length }) => length));
  const search = new RegExp(words.map(escaped).join('|'), 'g');

  const byFirst = new Map<string, string[]>();
  for (const word of words) byFirst.set(word.charAt(0), [...(byFirst.get(word.charAt(0)) ?? []), word]);

  function cutOff(text: string): number {
    for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
      const candidates = byFirst.get(text.charAt(at));
      if (candidates?.some((word) => word.startsWith(text.slice(at))) === true) return at;
    }
    return text.length;
  }

  return {
    plainLength(text, isEnded) {
      search.lastIndex = 0;
      const found = search.exec(text)?.index ?? text.length;
      const isCertain = isEnded || found <= text.length - longest;
      return isCertain ? found : Math.min(found, cutOff(text));
    },
  };
}

/** A word in a regular expression. */
export function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
