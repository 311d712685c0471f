import { decodeText } from '../../base/decode-text.ts';
import type { ContentPart, FilePart, ImagePart, Message, Part } from '../message.ts';
import type { ModelInfo } from '../model.ts';

/** An image or a file, of whichever kind of part. */
export type Media = ImagePart | FilePart;

/** Whether a part is what users and tools give a model: text, an image or a file. */
export function isContent(part: Part): part is ContentPart {
  return part.type === 'text' || part.type === 'image' || part.type === 'file';
}

/** Whether a file is text by its type, so that a model that reads no files can have its characters. */
export function isTextFile({ mediaType }: Media): boolean {
  return /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript)$/.test(mediaType);
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

/** A file in words, for a model that is not shown it: many APIs refuse a whole conversation for one file. */
export function describeFile(file: Media): string {
  const { type, mediaType, url } = file;
  const name = fileName(file);
  const called = name === undefined ? '' : ` "${name}"`;
  const place = url === undefined ? '' : ` at ${url}`;
  return `[${type === 'image' ? 'Image' : 'File'}${called} (${mediaType})${place}, not shown to this model]`;
}

/** Whether this very model wrote a message, over the same API and to its end. */
function isOwn({ origin, incomplete }: Message, { api, id }: Pick<ModelInfo, 'api' | 'id'>): boolean {
  return origin?.api === api && origin.model === id && incomplete !== true;
}

/** All that a model thought aloud in a message; empty if another model wrote it. */
export function ownReasoning(message: Message, model: Pick<ModelInfo, 'api' | 'id'>): string {
  if (!isOwn(message, model)) return '';
  return message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
}
