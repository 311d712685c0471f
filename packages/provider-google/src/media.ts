import { type Media, isMedia, isReadable } from '@utensil/core/provider';
import type { ContentPart } from '@utensil/core';

/** Kinds of files that a model accepts. */
export type Kind = 'image' | 'audio' | 'video' | 'document';

const types: Readonly<Record<Kind, RegExp>> = {
  image: /^image\/(?:jpeg|png|webp|heic|heif)$/,
  audio: /^audio\/(?:wav|mp3|mpeg|aiff|aac|ogg|flac|m4a|mp4|l16|opus|webm)$/,
  video: /^video\//,
  document: /^application\/pdf$/,
};

/**
 * Kind of content that Gemini reads a part as: https://ai.google.dev/gemini-api/docs/file-input-methods. Undefined if
 * it cannot read it.
 */
export function kindOf(part: Media): Kind | undefined {
  if (!isReadable(part)) return undefined;
  return (['image', 'audio', 'video', 'document'] as const).find((kind) => types[kind].test(part.mediaType));
}

/** True if Gemini gets the bytes of a part, not a description. */
export function isShown(part: ContentPart): part is Media {
  return isMedia(part) && kindOf(part) !== undefined;
}
