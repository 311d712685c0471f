// The SDK keeps the `[DONE]` at the end of a stream to itself. Of servers that give no reason why an answer ended, it is
// all that tells a whole answer from one that was cut off: an event before it tells the reader.

/** An event that no server sends. */
export const endMark = 'utensil.end';

/** True if an event is the mark. */
export function isEndMark(event: object): boolean {
  return 'object' in event && event.object === endMark;
}
