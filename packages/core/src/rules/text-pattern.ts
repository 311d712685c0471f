/** True if a text matches a pattern in which `*` matches any text. Linear in the text for each piece of the pattern. */
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
