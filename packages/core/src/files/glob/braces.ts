import { endOfClass } from './name.ts';
import type { Refuse } from './name.ts';

/** Expands braces: `{a,b{c,d}}` gives `a`, `bc` and `bd`. */
export function expandBraces(pattern: string, limit: number, refuse: Refuse): readonly string[] {
  let index = 0;

  /** Expands up to the end of the pattern, or of the current alternative. */
  function sequence(isInBraces: boolean): readonly string[] {
    let found: readonly string[] = [''];
    while (index < pattern.length) {
      const character = pattern[index];
      if (isInBraces && (character === ',' || character === '}')) break;
      if (character === '}') refuse("A '}' has no '{'. The character itself is '[}]'.");
      if (character === '{') found = product(found, choice());
      else {
        const start = index;
        index = character === '[' ? endOfClass(pattern, index, refuse) : index + 1;
        found = found.map((text) => text + pattern.slice(start, index));
      }
    }
    return found;
  }

  function choice(): readonly string[] {
    const found: string[] = [];
    do {
      index++; // skips the brace or the comma
      found.push(...sequence(true));
      if (index === pattern.length) refuse("A '{' has no '}'. The character itself is '[{]'.");
      refuseMany(found.length);
    } while (pattern[index] === ',');
    index++;
    if (found.length === 1 && found[0]?.includes('..') === true)
      refuse('Braces hold a list, as in {1,2,3}, not a range.');
    return found;
  }

  function product(starts: readonly string[], ends: readonly string[]): readonly string[] {
    refuseMany(starts.length * ends.length);
    return starts.flatMap((start) => ends.map((end) => start + end));
  }

  function refuseMany(count: number): void {
    if (count > limit) refuse(`Its braces stand for more than ${limit} patterns.`);
  }

  return sequence(false);
}
