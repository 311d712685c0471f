import { decodeText } from '../../base/text-encoding.ts';
import type { ContentPart, Message, Part } from '../message.ts';
import { describePart, oneLine } from '../describe-part.ts';
import { type Media, isMedia } from '../media.ts';
import type { ModelInfo } from '../model.ts';

/** True for parts that users and tools give a model: text, media and links. */
export function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'resource-link' || isMedia(part);
}

/** True for media types of text, whose characters can be sent to a model that does not read files. */
export function isTextFile({ type, mediaType }: Media): boolean {
  return type === 'file' && /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript)$/.test(mediaType);
}

/** Characters of a text file; undefined if it is not text, or not inline. */
export function textInFile(file: Media): string | undefined {
  if (file.data === undefined || !isTextFile(file)) return undefined;
  try {
    return decodeText(Uint8Array.from(atob(file.data), (character) => character.charCodeAt(0)))?.text;
  } catch {
    return undefined; // invalid base64
  }
}

/** Name of a file, if it has one. */
export function fileName(file: Media): string | undefined {
  return 'name' in file ? file.name : undefined;
}

/**
 * A part as text, for a model that cannot take it otherwise: the text itself, the content of a text file, or a
 * description.
 */
export function toWords(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  const text = isMedia(part) ? textInFile(part) : undefined;
  return text === undefined ? describePart(part) : `${oneLine(fileName(part as Media) ?? 'file')}:\n${text}`;
}

/** True if this model wrote the message over the same API, and finished it. */
function isOwn({ origin, incomplete }: Message, { api, id }: Pick<ModelInfo, 'api' | 'id'>): boolean {
  return origin?.api === api && origin.model === id && incomplete !== true;
}

/** The reasoning in a message; empty if another model wrote it. */
export function ownReasoning(message: Message, model: Pick<ModelInfo, 'api' | 'id'>): string {
  if (!isOwn(message, model)) return '';
  return message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
}
