import { wholeAt } from './indivisible.ts';

/** A list for display, possibly truncated. */
export interface AbridgedList {
  readonly most: number;
  /** Total number of items, if `items` holds only the first of them. */
  readonly count?: number | undefined;
}

/** A list for people that names the first items and counts the rest: `1, 2, 3 and 12,345 more`. */
export function abridgeList(items: readonly (string | number)[], { most, count = items.length }: AbridgedList): string {
  const shown = items.slice(0, most);
  const rest = count - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest.toLocaleString('en')} more` : '');
}

/** The beginning of a text and the length of the rest. Never splits a surrogate pair. */
export function abridgeText(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = beginningOf(text, most);
  const rest = text.length - beginning.length;
  return `${beginning}… (${rest.toLocaleString('en')} more character${rest === 1 ? '' : 's'})`;
}

/** The beginning of a text, at most `length` long. Never splits a surrogate pair. */
export function beginningOf(text: string, length: number): string {
  return text.slice(0, wholeAt(text, length));
}
