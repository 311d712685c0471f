import type { AudioPart, ContentPart, FilePart, ImagePart, Part } from './message.ts';

/** A part with binary content: image, audio or file. */
export type Media = ImagePart | AudioPart | FilePart;

/**
 * Maximum length of base64, in characters: more than any API accepts in a request, so larger content is neither stored
 * in a result nor sent.
 */
const largestData = 32 * 2 ** 20;

/** True if a part has binary content, inline or at an address. */
export function isMedia(part: Part): part is Media {
  return part.type === 'image' || part.type === 'audio' || part.type === 'file';
}

/** Length in characters: of the base64, or of the address. */
export function dataLength({ data, url }: Media): number {
  return (data ?? url ?? '').length;
}

/** Length in characters of a part as a model reads it. */
export function textLength(part: ContentPart): number {
  if (part.type === 'text') return part.text.length;
  return isMedia(part) ? 0 : JSON.stringify(part).length; // roughly the length of the line that replaces it
}

/** True if no API accepts this much in a request, so that no result stores it. */
export function isTooLarge(part: ContentPart): boolean {
  return isMedia(part) && dataLength(part) > largestData;
}

/**
 * True if an API could read the content: valid base64 within the limit, or an address that servers can fetch. One
 * damaged part makes APIs reject the whole conversation.
 */
export function isReadable(media: Media): boolean {
  const { data, url } = media;
  if (isTooLarge(media)) return false;
  if (data === undefined) return url !== undefined && /^(?:https?|gs|data):/i.test(url);
  return data !== '' && data.length % 4 === 0 && !/[^A-Za-z0-9+/=]|=(?!=?$)/.test(data);
}
