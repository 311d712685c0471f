import { type Media, describeFile, fileName, textInFile } from '@utensil/core/provider';

/** What a model takes a file for. */
export type Kind = 'image' | 'audio' | 'video' | 'document';

/** What Gemini sees a file as: https://ai.google.dev/gemini-api/docs/file-input-methods. Undefined where as nothing. */
export function kindOf({ mediaType }: Media): Kind | undefined {
  if (/^image\/(?:jpeg|png|webp|heic|heif)$/.test(mediaType)) return 'image';
  if (mediaType === 'application/pdf') return 'document';
  return (['audio', 'video'] as const).find((kind) => mediaType.startsWith(`${kind}/`));
}

/** A text file as text; anything else that cannot be shown, by its name and type. */
export function inWords(file: Media): string {
  const text = textInFile(file);
  return text === undefined ? describeFile(file) : `${fileName(file) ?? 'File'}:\n${text}`;
}
