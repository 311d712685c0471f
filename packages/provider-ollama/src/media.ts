import { type ContentPart, type FilePart, type ImagePart, decodeText } from '@utensil/core';

/** An image or a file, of whichever kind of part. */
export type Media = ImagePart | FilePart;

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** Whether a model that sees images can be shown this part. The API takes no addresses. */
export function isImage(part: ContentPart): part is Media & { readonly data: string } {
  return part.type !== 'text' && part.data !== undefined && imageTypes.has(part.mediaType);
}

/** A part in words, for there is no other place for it: a text as it is, what is none by its name and type. */
export function toWords(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  const text = part.data !== undefined && isText(part) ? textFrom(part.data) : undefined;
  return text === undefined ? describe(part) : `${nameOf(part) ?? 'file'}:\n${text}`;
}

function describe(part: Media): string {
  const name = nameOf(part);
  const called = name === undefined ? '' : ` "${name}"`;
  const place = part.url === undefined ? '' : ` at ${part.url}`;
  return `[${part.type === 'image' ? 'Image' : 'File'}${called} (${part.mediaType})${place}, not shown to this model]`;
}

function nameOf(part: Media): string | undefined {
  return 'name' in part ? part.name : undefined;
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
