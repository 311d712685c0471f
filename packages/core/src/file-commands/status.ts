/** A result of a file tool on one line, for people: the extent of a view, else the first line. */
export function commandStatus(output: unknown): string {
  const [heading = '', ...shown] = String(output).split('\n');
  const [first = heading] = shown;
  if (!heading.endsWith(':')) return heading;
  const entries = shown.filter((line) => /^[\d.]+[A-Z]*\t\//.test(line));
  if (entries.length > 0) return counted(entries.length, 'item');
  const numbered = shown.filter((line) => /^ *\d+\t/.test(line));
  if (numbered.length > 0) return counted(numbered.length, 'line');
  return shown.length > 1 ? counted(shown.length, 'line') : first;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
