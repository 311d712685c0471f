/** Words at which a scan has to look closer. */
export interface Signs {
  /** Index of the first of them from an index on, or of the beginning of one that may be truncated at the end; else the length. */
  next(text: string, from: number, isEnded: boolean): number;
}

/** Number of characters to search at once; after a miss, the pieces get larger. */
const nearest = 256;

/** Number of characters up to which a text is short. */
const short = 16;

/**
 * Two searches, which engines do many times as fast as one for all: prose is full of letters with which a word may begin, and
 * of the other characters there are hardly any.
 */
export function createSigns(given: readonly string[]): Signs {
  const all = [...new Set(given.filter((word) => word !== ''))];
  const words = all.filter((word) => !all.some((other) => other !== word && word.startsWith(other)));
  const longest = Math.max(...words.map(({ length }) => length));
  const marks = searchFor(words.filter((word) => !isSpoken(word)));
  const spoken = searchFor(words.filter(isSpoken));

  function first(text: string, from: number): number {
    for (let at = from, size = nearest; at < text.length; at += size, size *= 4) {
      const piece = text.slice(at, at + size + longest);
      const mark = marks(piece);
      const word = spoken(mark < 0 ? piece : piece.slice(0, mark + longest));
      if (mark >= 0 || word >= 0) return at + (mark < 0 || (word >= 0 && word < mark) ? word : mark);
    }
    return text.length;
  }

  const begun: string[][] = []; // by the last bits of the first character
  for (const word of words) (begun[word.charCodeAt(0) % 128] ??= []).push(word);

  /** The same for a short text, in which a search costs more than a look at each character, and for a truncated word. */
  function firstIn(text: string, from: number, isEnded: boolean): number {
    for (let at = from; at < text.length; at++) {
      const near = begun[text.charCodeAt(at) % 128];
      if (near === undefined) continue;
      for (const word of near) {
        const isBegun = !isEnded && word.length > text.length - at && word.startsWith(text.slice(at));
        if (isBegun || text.startsWith(word, at)) return at;
      }
    }
    return text.length;
  }

  return {
    next(text, from, isEnded) {
      if (text.length - from <= short) return firstIn(text, from, isEnded);
      const found = first(text, from);
      const isCertain = isEnded || found <= text.length - longest;
      return isCertain ? found : Math.min(found, firstIn(text, Math.max(from, text.length - longest + 1), false));
    },
  };
}

function isSpoken(word: string): boolean {
  return /^[A-Za-z]/.test(word);
}

/** The index of the first of these words, or -1. */
function searchFor(words: readonly string[]): (text: string) => number {
  if (words.length === 0) return () => -1;
  const search = new RegExp(words.map(escaped).join('|'));
  return (text) => text.search(search);
}

/** A word in a regular expression. */
function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
