import {
  type FilePart,
  type Json,
  type JsonObject,
  type Message,
  type ModelInfo,
  type SourcePart,
  isObject,
  textOf,
} from '@utensil/core';
import { wordPlaces, wordsIn } from '@utensil/core/provider';
import { imagesIn } from './extras.ts';

// Contents of answers: a text or, of some servers, a list of typed parts.

type Kind = 'text' | 'reasoning' | 'refusal';

/** Text of a part, by its type. For any other type, `text` is text. */
const kinds: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['thinking', 'reasoning'], // Mistral
  ['reasoning', 'reasoning'], // Databricks
  ['reasoning_text', 'reasoning'],
  ['refusal', 'refusal'],
]);

/** The parts of a content, one by one. */
export function contentParts(content: unknown): readonly JsonObject[] {
  return (Array.isArray(content) ? content : [content]).flatMap((part: unknown): JsonObject[] => {
    if (typeof part === 'string') return part === '' ? [] : [{ type: 'text', text: part }];
    return isObject(part) ? [part as JsonObject] : [];
  });
}

/** Text of a part, and its kind. */
export function said(part: object & { readonly type?: unknown }): { readonly kind: Kind; readonly text: string } {
  return { kind: kinds.get(part.type) ?? 'text', text: wordsIn(part) };
}

/** Content of a part besides text: a cited page, an image. */
export function shown(part: JsonObject): readonly (SourcePart | FilePart)[] {
  const { type, url, title, image_url: image } = part;
  if (type === 'image_url') return imagesIn([typeof image === 'string' ? { image_url: { url: image } } : part]);
  if (type !== 'tool_reference' || typeof url !== 'string') return [];
  return [{ type: 'source', url, ...(typeof title === 'string' && title !== '' && { title }) }];
}

/** Adds a fragment of a content to those before: what says more of the same becomes one part. */
export function addContent(parts: Json[], part: Json): void {
  const last = parts.at(-1);
  const isMore =
    isObject(last) && isObject(part) && last['type'] === part['type'] && saysWords(part) && saysWords(last);
  if (isMore) parts[parts.length - 1] = joined(last, part);
  else parts.push(isObject(part) ? copied(part) : part);
}

function saysWords(part: JsonObject): boolean {
  return wordPlaces.some((place) => typeof part[place] === 'string' || Array.isArray(part[place]));
}

function joined(before: JsonObject, more: JsonObject): JsonObject {
  const whole = { ...before };
  for (const [key, value] of Object.entries(more)) {
    const known = whole[key];
    const grows = wordPlaces.some((place) => place === key);
    if (grows && typeof known === 'string' && typeof value === 'string') whole[key] = known + value;
    else if (grows && Array.isArray(known) && Array.isArray(value)) for (const each of value) addContent(known, each);
    else whole[key] = value;
  }
  return whole;
}

/** With lists of its own, which grow. */
function copied(part: JsonObject): JsonObject {
  const lists = wordPlaces.filter((place) => Array.isArray(part[place]));
  return { ...part, ...Object.fromEntries(lists.map((place) => [place, [...(part[place] as Json[])]])) };
}

/**
 * The content of a message, exactly as this model sent it, with its thoughts in their places. Undefined if it sent text
 * alone, or if the text has changed.
 */
export function ownContent(message: Message, { api, id }: Pick<ModelInfo, 'api' | 'id'>): JsonObject[] | undefined {
  const { origin, incomplete, parts } = message;
  if (origin?.api !== api || origin.model !== id || incomplete === true || !isObject(origin.state)) return undefined;
  const { content } = origin.state;
  if (!Array.isArray(content) || !content.every(isObject)) return undefined;
  const text = content.map((part) => (said(part).kind === 'reasoning' ? '' : said(part).text)).join('');
  return text === textOf(parts) ? (content as JsonObject[]) : undefined;
}
