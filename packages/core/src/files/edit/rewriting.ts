/** A rule that converts one indentation to another; undefined if it does not apply. */
export type Rewriting = (indentation: string) => string | undefined;

const widths = [2, 4, 8, 3];

/** Rules: unchanged, spaces to tabs, tabs to spaces. */
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
