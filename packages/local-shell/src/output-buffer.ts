/** Unread text, truncated at its start if there is too much. */
export interface OutputBuffer {
  readonly isEmpty: boolean;
  /** True if it must be read soon to lose nothing. */
  readonly isFull: boolean;
  add(text: string): void;
  /** Returns the buffered text and the number of dropped characters before it. */
  take(): { readonly text: string; readonly dropped: number };
}

/** Keeps at least the last `limit` characters, and at most twice as many. */
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

/** The next index that does not split a surrogate pair. */
function wholeFrom(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index + 1 : index;
}
