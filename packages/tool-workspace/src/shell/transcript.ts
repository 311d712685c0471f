/** Output of a command, with its middle omitted if it is too long. */
export interface Transcript {
  /** `dropped`: lost characters before `text`. */
  add(text: string, dropped: number): void;
  text(): string;
}

/** Keeps the start and the end of an endless text, `limit` characters in total. */
export function transcript(limit: number): Transcript {
  const most = { head: Math.ceil(limit * 0.7), tail: Math.floor(limit * 0.3) };
  let head = '';
  let tail = '';
  let missing = 0;
  let length = 0;

  function cutTail(): void {
    const over = Math.max(0, tail.length - most.tail);
    missing += over;
    tail = tail.slice(over);
  }

  return {
    add(text, dropped) {
      length += text.length + dropped;
      if (dropped > 0) {
        missing += tail.length + dropped;
        tail = '';
      }
      const room = missing > 0 ? 0 : Math.max(0, most.head - head.length);
      head += text.slice(0, room);
      tail += text.slice(room);
      if (tail.length > 2 * most.tail) cutTail();
    },
    text() {
      cutTail();
      return missing === 0 ? head + tail : `${head}\n[… ${missing} of ${length} characters were not kept …]\n${tail}`;
    },
  };
}
