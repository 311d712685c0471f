/** A sequence that is compared element by element: a text, or lines as numbers. */
export interface Sequence {
  readonly length: number;
  readonly [index: number]: string | number;
}

/**
 * Where `sought` begins in `sequence`, also where two of its places overlap. In time proportional to both lengths,
 * whatever they contain (Knuth, Morris and Pratt), which the platform's own search does not promise.
 */
export function occurrencesOf(sequence: Sequence, sought: Sequence): readonly number[] {
  if (sought.length === 0) return [];
  const borders = bordersOf(sought);
  const found: number[] = [];
  let matched = 0;
  for (let index = 0; index < sequence.length; index++) {
    while (matched > 0 && sequence[index] !== sought[matched]) matched = borders[matched - 1] ?? 0;
    if (sequence[index] === sought[matched]) matched++;
    if (matched < sought.length) continue;
    found.push(index + 1 - matched);
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** For each beginning of the sequence, how much of its own beginning it also ends in. */
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
