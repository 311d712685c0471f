/** Whether a text fits a pattern in which `*` is any text. Takes time in proportion to the text, for each piece of the pattern once. */
export function textPattern(pattern: string): (text: string) => boolean {
  const [first = '', ...rest] = pattern.split(/\*+/);
  const last = rest.pop();
  if (last === undefined) return (text) => text === pattern;
  return (text) => {
    if (!text.startsWith(first)) return false;
    let from = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, from);
      if (found === -1) return false;
      from = found + piece.length;
    }
    return text.length - last.length >= from && text.endsWith(last);
  };
}
