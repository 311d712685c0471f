/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Those of the spans, in order, that do not overlap the one before. */
export function withoutOverlaps<Each extends Span>(spans: readonly Each[]): readonly Each[] {
  let done = 0;
  return spans.filter(({ start, end }) => {
    if (start < done) return false;
    done = end;
    return true;
  });
}
