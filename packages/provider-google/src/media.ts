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

/** A text file as text; anything else that cannot be shown, in words: the API refuses a conversation for one file. */
export function inWords(part: Media): string {
  const text = part.data !== undefined && isText(part) ? textFrom(part.data) : undefined;
  return text === undefined ? describeFile(part) : `${nameOf(part) ?? 'File'}:\n${text}`;
}

function isText({ mediaType }: Media): boolean {
  return /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript)$/.test(mediaType);
}

function textFrom(data: string): string | undefined {
  try {
    return decodeText(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)))?.text;
  } catch {
    return undefined;
  }
}

function describeFile(part: Media): string {
  const name = nameOf(part);
  const place = part.url === undefined ? '' : ` at ${part.url}`;
  const kind = part.type === 'image' ? 'Image' : 'File';
  return `[${kind}${name === undefined ? '' : ` "${name}"`} (${part.mediaType})${place}, not shown to this model]`;
}

function nameOf(part: Media): string | undefined {
  return 'name' in part ? part.name : undefined;
}
