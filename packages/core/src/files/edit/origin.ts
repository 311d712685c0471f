/** Where the characters of a form come from. */
export interface Places {
  startOf(index: number): number;
  endOf(index: number): number;
  isBoundary(index: number): boolean;
}

/** Remembers where characters come from, while a form grows. */
export interface Origin {
  /** Characters that are the text from one offset to another, each a unit of its own. */
  keep(from: number, to: number): void;
  /** So many characters that are one unit of the text. */
  add(count: number, from: number, to: number): void;
  /** Number of calls that are remembered. */
  size(): number;
  places(): Places;
}

/**
 * Most of a text is as it is in its form, so stretches are remembered and not characters: each is a part of the text, or
 * one unit of it. They are columns of numbers, as there may be millions.
 */
export function createOrigin(): Origin {
  const starts: number[] = [];
  const froms: number[] = [];
  const ends: number[] = [];
  const areUnits: boolean[] = [];
  let length = 0;

  function push(from: number, to: number, isUnit: boolean): void {
    starts.push(length);
    froms.push(from);
    ends.push(to);
    areUnits.push(isUnit);
  }

  /** The index of the stretch that a character is in. */
  function at(index: number): number {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= index) low = middle;
      else high = middle;
    }
    return low;
  }

  const offset = (stretch: number, index: number): number => (froms[stretch] ?? 0) + index - (starts[stretch] ?? 0);
  return {
    keep(from, to) {
      push(from, to, false);
      length += to - from;
    },
    add(count, from, to) {
      push(from, to, true);
      length += count;
    },
    size: () => starts.length,
    places: () => ({
      startOf(index) {
        const stretch = at(index);
        return areUnits[stretch] === false ? offset(stretch, index) : (froms[stretch] ?? 0);
      },
      endOf(index) {
        const stretch = at(index);
        return areUnits[stretch] === false ? offset(stretch, index) + 1 : (ends[stretch] ?? 0);
      },
      isBoundary(index) {
        const stretch = at(index);
        return index >= length || areUnits[stretch] !== true || starts[stretch] === index;
      },
    }),
  };
}
