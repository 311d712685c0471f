import type { ContentPart } from '@utensil/core';
import { type Media, describeFile, fileName, textInFile } from '@utensil/core/provider';

const imageTypes: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** Whether a model that sees images can be shown this part. The API takes no addresses. */
export function isImage(part: ContentPart): part is Media & { readonly data: string } {
  return part.type !== 'text' && part.data !== undefined && imageTypes.has(part.mediaType);
}

/** A part in words, for there is no other place for it: a text as it is, what is none by its name and type. */
export function toWords(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  const text = textInFile(part);
  return text === undefined ? describeFile(part) : `${fileName(part) ?? 'file'}:\n${text}`;
}
