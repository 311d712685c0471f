/** Lays out what is written from top to bottom: a blank line between things of different kinds. Pure but for its place. */
export interface Transcript {
  /** The kind of what was written last. */
  readonly last: string | undefined;
  /** Text that goes on where the text of the same kind before it ended. `shown` is how it looks. */
  stream(kind: string, text: string, shown?: string): string;
  /** Whole lines. */
  block(kind: string, lines: readonly string[]): string;
  /** Ends the line that is open. */
  end(): string;
  /** Something came in between that others have written. */
  interrupt(kind: string): void;
}

/** A transcript in which nothing stands. */
export function createTranscript(): Transcript {
  let last: string | undefined;
  let isLineOpen = false;

  function end(): string {
    const lineEnd = isLineOpen ? '\n' : '';
    isLineOpen = false;
    return lineEnd;
  }

  function begin(kind: string): string {
    if (kind === last) return '';
    const gap = last === undefined ? '' : '\n';
    last = kind;
    return end() + gap;
  }

  return {
    get last() {
      return last;
    },
    stream(kind, text, shown = text) {
      const gap = begin(kind);
      if (text !== '') isLineOpen = !text.endsWith('\n');
      return gap + shown;
    },
    block: (kind, lines) => (lines.length === 0 ? '' : begin(kind) + lines.map((line) => `${line}\n`).join('')),
    end,
    interrupt(kind) {
      last = kind;
      isLineOpen = false;
    },
  };
}
