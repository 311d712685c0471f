/** How one indentation is written as another; undefined if the rule says nothing about it. */
export type Rewriting = (indentation: string) => string | undefined;

const widths = [2, 4, 8, 3];

/** With the same characters, with tabs for spaces, with spaces for tabs. */
export const rewritings: readonly Rewriting[] = [
  (indentation) => indentation,
  ...widths.map(
    (width): Rewriting =>
      (indentation) =>
        /^ *$/.test(indentation) && indentation.length % width === 0
          ? '\t'.repeat(indentation.length / width)
          : undefined,
  ),
  ...widths.map(
    (width): Rewriting =>
      (indentation) =>
        /^\t*$/.test(indentation) ? ' '.repeat(indentation.length * width) : undefined,
  ),
];
