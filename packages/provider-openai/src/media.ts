import { type Media, fileName } from '@utensil/core/provider';

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

/** Whether OpenAI's models see it as an image. */
export function isImage({ mediaType }: Media): boolean {
  return imageTypes.has(mediaType);
}

/** The name of a file; the APIs want one. */
export function nameOf(file: Media): string {
  return fileName(file) ?? 'file';
}

/** Base64 data or an address, as a URL. */
export function urlOf({ mediaType, data, url }: Media): string {
  return url ?? `data:${mediaType};base64,${data ?? ''}`;
}
