/** Length of the common prefix of two texts. */
export function commonBeginning(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/** Length of the common suffix of two texts, not counting the first `kept` characters of each. */
export function commonEnding(left: string, right: string, kept: number): number {
  const most = Math.min(left.length, right.length) - kept;
  let length = 0;
  while (length < most && left[left.length - 1 - length] === right[right.length - 1 - length]) length++;
  return length;
}
