/** Where the characters of a form come from. */
export interface Places {
  startOf(index: number): number;
  endOf(index: number): number;
  isBoundary(index: number): boolean;
}

/** Remembers where characters come from, while a form grows. */
export interface Origin {
  /** Characters that are the text from one offset to another. */
  keep(from: number, to: number): void;
  /** So many characters that are one unit of the text. */
  add(count: number, from: number, to: number): void;
  places(): Places;
}

/** Characters of the form that follow each other: each of them one of the text, or all of them one unit. */
interface Stretch {
  readonly at: number;
  readonly from: number;
  to: number;
  readonly isUnit: boolean;
}

/** Most of a text is as it is in its form, so stretches are kept and not characters. */
export function createOrigin(): Origin {
  const stretches: Stretch[] = [];
  let length = 0;
  return {
    keep(from, to) {
      const last = stretches.at(-1);
      if (from === to) return;
      if (last?.isUnit === false && last.to === from) last.to = to;
      else stretches.push({ at: length, from, to, isUnit: false });
      length += to - from;
    },
    add(count, from, to) {
      if (count === 0) return;
      stretches.push({ at: length, from, to, isUnit: true });
      length += count;
    },
    places: () => toPlaces(stretches, length),
  };
}

function toPlaces(stretches: readonly Stretch[], length: number): Places {
  const at = (index: number): Stretch | undefined => {
    let [low, high] = [0, stretches.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((stretches[middle]?.at ?? 0) <= index) low = middle;
      else high = middle;
    }
    return stretches[low];
  };
  const offset = (stretch: Stretch, index: number): number => stretch.from + index - stretch.at;
  return {
    startOf(index) {
      const stretch = at(index);
      if (stretch === undefined) return 0;
      return stretch.isUnit ? stretch.from : offset(stretch, index);
    },
    endOf(index) {
      const stretch = at(index);
      if (stretch === undefined) return 0;
      return stretch.isUnit ? stretch.to : offset(stretch, index) + 1;
    },
    isBoundary(index) {
      const stretch = at(index);
      return stretch === undefined || index >= length || !stretch.isUnit || stretch.at === index;
    },
  };
}
