/** A sequence compared element by element: a text, or lines as numbers. */
export interface Sequence {
  readonly length: number;
  readonly [index: number]: string | number;
}

/**
 * Positions of `sought` in `sequence`, in order, overlapping ones included. Linear in both lengths for any input
 * (Knuth–Morris–Pratt), which the platform's own text search does not guarantee: only single characters are left to it.
 * Yields one position at a time, as there may be millions.
 */
export function* occurrencesOf(sequence: Sequence, sought: Sequence): Generator<number, void, undefined> {
  if (sought.length === 0 || sought.length > sequence.length) return;
  const borders = bordersOf(sought);
  const nextStart = startsIn(sequence, sought[0]);
  let matched = 0;
  for (let index = nextStart(0); index < sequence.length; index = matched === 0 ? nextStart(index + 1) : index + 1) {
    while (matched > 0 && sequence[index] !== sought[matched]) matched = borders[matched - 1] ?? 0;
    if (sequence[index] === sought[matched]) matched++;
    if (matched < sought.length) continue;
    yield index + 1 - matched;
    matched = borders[matched - 1] ?? 0;
  }
}

/** Next possible start of an occurrence, from an index on. */
function startsIn(sequence: Sequence, first: string | number | undefined): (index: number) => number {
  if (typeof sequence !== 'string' || typeof first !== 'string') return (index) => index;
  return (index) => {
    const found = sequence.indexOf(first, index);
    return found === -1 ? sequence.length : found;
  };
}

/** For each prefix of the sequence, the length of its longest proper prefix that is also its suffix. */
function bordersOf(sequence: Sequence): Uint32Array {
  const borders = new Uint32Array(sequence.length);
  let matched = 0;
  for (let index = 1; index < sequence.length; index++) {
    while (matched > 0 && sequence[index] !== sequence[matched]) matched = borders[matched - 1] ?? 0;
    if (sequence[index] === sequence[matched]) matched++;
    borders[index] = matched;
  }
  return borders;
}
