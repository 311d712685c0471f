/** Milliseconds to wait: what was asked for, within limits. */
export function yieldTime(
  asked: number | undefined,
  { usual, most }: { readonly usual: number; readonly most: number },
): number {
  return Math.min(most, Math.max(250, asked ?? usual));
}
