/** Maps the characters of a form to the original text. */
export interface OriginMap {
  startOf(index: number): number;
  endOf(index: number): number;
  isBoundary(index: number): boolean;
}

/** Records the origin of characters while a form is built. */
export interface Origin {
  /** Appends unchanged characters of a range of the text, each a unit of its own. */
  keep(from: number, to: number): void;
  /** Appends a number of characters that form one unit of the text. */
  add(count: number, from: number, to: number): void;
  /** Number of recorded stretches. */
  size(): number;
  map(): OriginMap;
}

/**
 * Most of a text is unchanged in its form, so stretches are recorded instead of characters: a part of the text, or one
 * unit of it. They are stored in columns of numbers, as there may be millions.
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

  /** Index of the stretch that contains a character. */
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
    map: () => ({
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
