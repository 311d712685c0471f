/** A line with another indentation; undefined where the rule says nothing about the one that it has. */
export type Shift = (line: string) => string | undefined;

/** How one indentation is written as another: with the same characters, with tabs for spaces, with spaces for tabs. */
type Rewriting = (indentation: string) => string | undefined;

const widths = [2, 4, 8, 3];

const rewritings: readonly Rewriting[] = [
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

/** The one rule by which all lines become as far indented as the others, which are the same otherwise; empty ones aside. */
export function shiftOf(from: readonly string[], to: readonly string[]): Shift | undefined {
  const first = from.findIndex((line) => line !== '');
  const [source, target] = [indentationOf(from[first] ?? ''), indentationOf(to[first] ?? '')];
  return candidates(source, target)
    .map(toShift)
    .find((shift) => from.every((line, index) => shift(line) === to[index]));
}

function candidates(source: string, target: string): readonly Rewriting[] {
  const further = rewritings.flatMap((rewrite) => {
    const rewritten = rewrite(source);
    if (rewritten === undefined || !target.endsWith(rewritten)) return [];
    const added = target.slice(0, target.length - rewritten.length);
    return [addingTo(rewrite, added)];
  });
  if (!source.endsWith(target)) return further;
  const dropped = source.slice(0, source.length - target.length);
  return [...further, (indentation) => withoutPrefix(dropped, indentation)];
}

function addingTo(rewrite: Rewriting, added: string): Rewriting {
  return (indentation) => {
    const rewritten = rewrite(indentation);
    return rewritten === undefined ? undefined : added + rewritten;
  };
}

function withoutPrefix(prefix: string, text: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

function toShift(rewrite: Rewriting): Shift {
  return (line) => {
    if (line.trim() === '') return line;
    const indentation = indentationOf(line);
    const rewritten = rewrite(indentation);
    return rewritten === undefined ? undefined : rewritten + line.slice(indentation.length);
  };
}

function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
