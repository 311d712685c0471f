import type { AudioPart, ContentPart, FilePart, ImagePart, Part } from './message.ts';

/** Content with bytes of its own: an image, a recording or a file. */
export type Media = ImagePart | AudioPart | FilePart;

/** In characters of base64: more than any API takes in one request is neither stored in a result nor sent. */
const largestData = 32 * 2 ** 20;

/** Whether a part has bytes of its own, here or at an address. */
export function isMedia(part: Part): part is Media {
  return part.type === 'image' || part.type === 'audio' || part.type === 'file';
}

/** In characters: base64, or the address in its place. */
export function dataLength({ data, url }: Media): number {
  return (data ?? url ?? '').length;
}

/** In characters: what a model reads of a part. */
export function textLength(part: ContentPart): number {
  if (part.type === 'text') return part.text.length;
  return isMedia(part) ? 0 : JSON.stringify(part).length; // about as long as the line that it becomes
}

/** Whether no API takes so much in a request, so that no result stores it. */
export function isTooLarge(part: ContentPart): boolean {
  return isMedia(part) && dataLength(part) > largestData;
}

/**
 * Whether an API could read the bytes: base64 without a fault and not too large, or else an address that servers can ask.
 * One damaged part makes APIs refuse the whole conversation.
 */
export function isReadable(media: Media): boolean {
  const { data, url } = media;
  if (isTooLarge(media)) return false;
  if (data === undefined) return url !== undefined && /^(?:https?|gs|data):/i.test(url);
  return data !== '' && data.length % 4 === 0 && !/[^A-Za-z0-9+/=]|=(?!=?$)/.test(data);
}
