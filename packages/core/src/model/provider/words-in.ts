import { isObject } from '../../base/json.ts';

/** The members in which a part of a content has words, which may be parts again. */
export const wordPlaces = ['text', 'thinking', 'summary', 'content', 'refusal'] as const;

/** The text in a server's value of any shape: the texts of parts become one text. */
export function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsIn).join('');
  if (!isObject(value)) return '';
  return wordsIn(wordPlaces.map((place) => value[place]).find((each) => each !== undefined && each !== null));
}
