import { decodeText } from '../../base/decode-text.ts';
import type { ContentPart, Message, Part } from '../message.ts';
import { describePart, oneLine } from '../describe-part.ts';
import { type Media, isMedia } from '../media.ts';
import type { ModelInfo } from '../model.ts';

/** Whether a part is what users and tools give a model: text, media or a link. */
export function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'resource-link' || isMedia(part);
}

/** Whether a file is text by its type, so that a model that reads no files can have its characters. */
export function isTextFile({ type, mediaType }: Media): boolean {
  return type === 'file' && /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript)$/.test(mediaType);
}

/** The characters of a text file; undefined if it is none, or is somewhere else. */
export function textInFile(file: Media): string | undefined {
  if (file.data === undefined || !isTextFile(file)) return undefined;
  try {
    return decodeText(Uint8Array.from(atob(file.data), (character) => character.charCodeAt(0)))?.text;
  } catch {
    return undefined; // no base64
  }
}

/** The name of a file, if it has one. */
export function fileName(file: Media): string | undefined {
  return 'name' in file ? file.name : undefined;
}

/** A part in words, for a model that cannot have it otherwise: the text itself, that of a file, or a description. */
export function toWords(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  const text = isMedia(part) ? textInFile(part) : undefined;
  return text === undefined ? describePart(part) : `${oneLine(fileName(part as Media) ?? 'file')}:\n${text}`;
}

/** True if this very model wrote a message, over the same API and to its end. */
function isOwn({ origin, incomplete }: Message, { api, id }: Pick<ModelInfo, 'api' | 'id'>): boolean {
  return origin?.api === api && origin.model === id && incomplete !== true;
}

/** All that a model thought aloud in a message; empty if another model wrote it. */
export function ownReasoning(message: Message, model: Pick<ModelInfo, 'api' | 'id'>): string {
  if (!isOwn(message, model)) return '';
  return message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
}
