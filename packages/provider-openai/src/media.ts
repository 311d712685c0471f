import { type Media, fileName } from '@utensil/core/provider';

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** True if OpenAI's models see it as an image. */
export function isImage({ mediaType }: Media): boolean {
  return imageTypes.has(mediaType);
}

const audioFormats: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

/** The format in which OpenAI's models hear it. */
export function audioFormatOf({ mediaType }: Media): 'wav' | 'mp3' | undefined {
  return audioFormats.get(mediaType);
}

/** The name of a file; the APIs want one. */
export function nameOf(file: Media): string {
  return fileName(file) ?? 'file';
}

/** Base64 data or an address, as a URL. */
export function urlOf({ mediaType, data, url }: Media): string {
  return url ?? `data:${mediaType};base64,${data ?? ''}`;
}
