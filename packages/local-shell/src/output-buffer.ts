/** Text that waits to be read: the last of it, where there is too much. */
export interface OutputBuffer {
  readonly isEmpty: boolean;
  /** There is so much that it is to be read, or something will be lost. */
  readonly isFull: boolean;
  add(text: string): void;
  /** All that is kept, and how many characters before it are not. */
  take(): { readonly text: string; readonly dropped: number };
}

/** Keeps at least the last `limit` characters, and twice as many at the most. */
export function outputBuffer(limit: number): OutputBuffer {
  let kept = '';
  let dropped = 0;

  function cut(): void {
    const from = wholeFrom(kept, kept.length - limit);
    dropped += from;
    kept = kept.slice(from);
  }

  return {
    get isEmpty() {
      return kept === '' && dropped === 0;
    },
    get isFull() {
      return kept.length >= limit / 2;
    },
    add(text) {
      kept += text;
      if (kept.length > 2 * limit) cut();
    },
    take() {
      if (kept.length > limit) cut();
      const taken = { text: kept, dropped };
      kept = '';
      dropped = 0;
      return taken;
    },
  };
}

/** The nearest place, not before `index`, that does not split a surrogate pair. */
function wholeFrom(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index + 1 : index;
}
