/** Start offsets of the rows of a text: its lines, wrapped at a number of columns. */
export function rowStarts(text: string, columns: number): Uint32Array {
  let starts = new Uint32Array(1_024);
  let count = 0;
  let line = -1; // end of the current line
  for (let start = 0; start <= text.length;) {
    if (count === starts.length) starts = grown(starts);
    starts[count++] = start;
    if (line < start) line = lineEnd(text, start);
    const next = wholeAt(text, start + columns);
    start = line - start > columns ? next : line + 1;
  }
  return starts.subarray(0, count);
}

/** At most `count` rows from `first` on. */
export function rowsAt(
  text: string,
  starts: Uint32Array,
  [first, count]: readonly [number, number],
): readonly string[] {
  const rows: string[] = [];
  for (let row = first; row < Math.min(starts.length, first + count); row++)
    rows.push(text.slice(starts[row], starts[row + 1] ?? text.length).replace(/\n$/, ''));
  return rows;
}

/** The row of an offset. */
export function rowOf(starts: Uint32Array, place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

function grown(starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(starts.length * 2);
  more.set(starts);
  return more;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

/** The nearest offset before or at this one that does not split a character. */
function wholeAt(text: string, place: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place;
}
