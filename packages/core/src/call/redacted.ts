import { mapStrings, toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import type { OutputLimits } from './output-limit.ts';

type Redaction = Pick<OutputLimits, 'clean'>;

/** A value as JSON, with secrets redacted if `clean` is given. */
export function redactedJson(value: unknown, { clean }: Redaction): Json {
  return clean === undefined ? toJson(value) : mapStrings(toJson(value), clean);
}

/** Parts, with secrets redacted if `clean` is given. */
export function redactedParts(parts: readonly ContentPart[], { clean }: Redaction): readonly ContentPart[] {
  return clean === undefined ? parts : parts.map((part) => redactedPart(part, clean));
}

/** Redacts all readable members of a part: texts, names and addresses. Base64 is kept. */
function redactedPart(part: ContentPart, clean: (text: string) => string): ContentPart {
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
