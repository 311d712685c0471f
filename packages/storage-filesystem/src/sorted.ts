/** Index of the first entry of a sorted list at or after a name. */
export function firstFrom(sorted: readonly { readonly name: string }[], name: string): number {
  let [start, end] = [0, sorted.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((sorted[middle]?.name ?? '') < name) start = middle + 1;
    else end = middle;
  }
  return start;
}
