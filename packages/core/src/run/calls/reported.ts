/** True if a tool reports that a call is done. */
export function isDone(told: unknown): told is { readonly done: unknown } {
  return typeof told === 'object' && told !== null && 'done' in told;
}
