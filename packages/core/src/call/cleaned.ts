import { mapStrings, toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import type { OutputLimits } from './output-limit.ts';

type Cleaning = Pick<OutputLimits, 'clean'>;

/** A value as JSON without secrets. */
export function cleanedJson(value: unknown, { clean }: Cleaning): Json {
  return clean === undefined ? toJson(value) : mapStrings(toJson(value), clean);
}

/** Parts without secrets. */
export function cleanedParts(parts: readonly ContentPart[], { clean }: Cleaning): readonly ContentPart[] {
  return clean === undefined ? parts : parts.map((part) => cleanedPart(part, clean));
}

/** Redacts all readable members of a part: texts, names and addresses. Base64 is kept. */
function cleanedPart(part: ContentPart, clean: (text: string) => string): ContentPart {
  if (part.type === 'text') {
    const { text, resource } = part;
    const named = resource && { resource: { key: clean(resource.key), etag: clean(resource.etag) } };
    return { ...part, text: clean(text), ...named };
  }
  const told = Object.entries(part).map(([name, value]: [string, unknown]) => {
    const isRead = typeof value === 'string' && name !== 'type' && name !== 'data';
    return [name, isRead ? clean(value) : value] as const;
  });
  return Object.fromEntries(told) as object as ContentPart;
}
