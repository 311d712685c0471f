import type { ContentPart } from '@utensil/core';
import { type Media, isMedia, isReadable } from '@utensil/core/provider';

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** True if a part's type is an image that vision models accept. The API takes no addresses. */
export function isImage(part: ContentPart): part is Media & { readonly data: string } {
  return isMedia(part) && part.data !== undefined && imageTypes.has(part.mediaType);
}

/** True if a vision model can be shown this part. */
export function isShown(part: ContentPart): part is Media & { readonly data: string } {
  return isImage(part) && isReadable(part);
}
