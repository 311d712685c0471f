import { type FilePart, type ImagePart, decodeText } from '@utensil/core';

/** An image or a file, of whichever kind of part. */
export type Media = ImagePart | FilePart;

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Whether OpenAI's models see it as an image. */
export function isImage({ mediaType }: Media): boolean {
  return imageTypes.has(mediaType);
}

/** The name of a file; the APIs want one. */
export function nameOf(part: Media): string {
  return ('name' in part ? part.name : undefined) ?? 'file';
}

/** Base64 data or an address, as a URL. */
export function urlOf({ mediaType, data, url }: Media): string {
  return url ?? `data:${mediaType};base64,${data ?? ''}`;
}

/** Whether it is text, so that what reads no files can have its characters. */
export function isText({ mediaType }: Media): boolean {
  return /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript)$/.test(mediaType);
}

/** The text of base64 data; undefined where it is none. */
export function textFrom(data: string): string | undefined {
  try {
    return decodeText(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)))?.text;
  } catch {
    return undefined;
  }
}

/** A file in words, for a model that is not shown it: the API refuses a whole conversation for one that it cannot read. */
export function describeFile(part: Media): string {
  const name = 'name' in part ? ` "${part.name}"` : '';
  const place = part.url === undefined ? '' : ` at ${part.url}`;
  return `[${part.type === 'image' ? 'Image' : 'File'}${name} (${part.mediaType})${place}, not shown to this model]`;
}
