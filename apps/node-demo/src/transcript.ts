/** Formats output with a blank line between items of different kinds. Pure except for its position. */
export interface Transcript {
  /** Kind of the last output. */
  readonly last: string | undefined;
  /** Text that continues previous text of the same kind. `shown` is its styled form. */
  stream(kind: string, text: string, shown?: string): string;
  /** Whole lines. */
  block(kind: string, lines: readonly string[]): string;
  /** Ends the open line. */
  end(): string;
  /** Something else was printed in between. */
  interrupt(kind: string): void;
}

/** Creates an empty transcript. */
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
