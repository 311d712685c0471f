import { type FilePart, type ImagePart, decodeText } from '@utensil/core';

/** An image or a file, of whichever kind of part. */
export type Media = ImagePart | FilePart;

/** What a model takes a file for. */
export type Kind = 'image' | 'audio' | 'video' | 'document';

/** What Gemini sees a file as: https://ai.google.dev/gemini-api/docs/file-input-methods. Undefined where as nothing. */
export function kindOf({ mediaType }: Media): Kind | undefined {
  if (/^image\/(?:jpeg|png|webp|heic|heif)$/.test(mediaType)) return 'image';
  if (mediaType === 'application/pdf') return 'document';
  return (['audio', 'video'] as const).find((kind) => mediaType.startsWith(`${kind}/`));
}

/** A text file as text; anything else that cannot be shown, by its name and type: the API refuses a conversation for one file. */
export function inWords(part: Media): string {
  const { type, mediaType, data, url } = part;
  const name = 'name' in part ? part.name : undefined;
  const text = data === undefined || !isText(mediaType) ? undefined : textFrom(data);
  if (text !== undefined) return `${name ?? 'File'}:\n${text}`;
  const called = name === undefined ? '' : ` "${name}"`;
  const place = url === undefined ? '' : ` at ${url}`;
  return `[${type === 'image' ? 'Image' : 'File'}${called} (${mediaType})${place}, not shown to this model]`;
}

function isText(mediaType: string): boolean {
  return /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript)$/.test(mediaType);
}

function textFrom(data: string): string | undefined {
  try {
    return decodeText(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)))?.text;
  } catch {
    return undefined;
  }
}
