import type { ContentPart } from '@utensil/core';
import { type Media, isMedia, isReadable } from '@utensil/core/provider';

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** Whether a part is by its type an image for models that see. The API takes no addresses. */
export function isImage(part: ContentPart): part is Media & { readonly data: string } {
  return isMedia(part) && part.data !== undefined && imageTypes.has(part.mediaType);
}

/** Whether a model that sees can be shown this part. */
export function isShown(part: ContentPart): part is Media & { readonly data: string } {
  return isImage(part) && isReadable(part);
}
