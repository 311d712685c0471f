/** How much of their beginnings two texts have in common. */
export function commonBeginning(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/** How much two texts have in common at their ends, not counting the `kept` characters at their beginnings. */
export function commonEnding(left: string, right: string, kept: number): number {
  const most = Math.min(left.length, right.length) - kept;
  let length = 0;
  while (length < most && left[left.length - 1 - length] === right[right.length - 1 - length]) length++;
  return length;
}
