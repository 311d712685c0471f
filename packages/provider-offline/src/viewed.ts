/** A file as shown by the tool. */
export interface ViewedFile {
  readonly lines: readonly string[];
  /** True if it was shown completely. */
  readonly isWhole: boolean;
}

const numberedLine = /^\s*\d+\t/;
const cutNote = /^\[(?:Content|Line|Listing) .*truncated: /;

/** Parses the view of a file: a heading, then its lines, numbered unless the user has disabled that. */
export function viewedFile(text: string): ViewedFile {
  const [, ...shown] = text.split('\n');
  if (shown.length === 1 && shown[0] === '(empty)') return { lines: [], isWhole: true };
  const isNumbered = numberedLine.test(shown[0] ?? '');
  const end = shown.findIndex((line) => (isNumbered ? !numberedLine.test(line) : cutNote.test(line)));
  const lines = (end === -1 ? shown : shown.slice(0, end)).map((line) =>
    isNumbered ? line.replace(numberedLine, '') : line,
  );
  return { lines, isWhole: end === -1 };
}

/** Paths of files in a directory view whose names have this ending. */
export function viewedPaths(text: string, ending: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const path = line.slice(line.indexOf('\t') + 1);
    return line.includes('\t') && path.toLowerCase().endsWith(ending) ? [path] : [];
  });
}
