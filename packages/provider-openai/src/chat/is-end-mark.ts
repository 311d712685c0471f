// The SDK hides the `[DONE]` at the end of a stream. For servers that give no finish reason, it is the only sign that
// an answer is complete, not truncated: an extra event before it shows it to the reader.

/** An event that no server sends. */
export const endMark = 'utensil.end';

/** True if an event is the mark. */
export function isEndMark(event: object): boolean {
  return 'object' in event && event.object === endMark;
}
