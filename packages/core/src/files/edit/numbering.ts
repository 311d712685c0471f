/** Assigns equal texts the same number, so that later comparisons take constant time. */
export type Numbering = (text: string) => number;

export function createNumbering(): Numbering {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
}
