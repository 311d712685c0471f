import { mediaTypeOf } from '@utensil/core/files';
import type { ContentPart } from '@utensil/core';
import { currentTexts } from '../texts/texts.ts';
import type { Texts } from '../texts/texts.ts';

/** An attachment of a message. */
export interface Attachment {
  readonly name: string;
  readonly part: ContentPart;
}

const mostBytes = 10 * 2 ** 20;
const mostCharacters = 200_000;

/**
 * Converts files to message parts: images, recordings, PDFs and texts. `problems` explains which could not be attached,
 * and why.
 */
export async function attachmentsOf(
  files: readonly File[],
): Promise<{ readonly attachments: readonly Attachment[]; readonly problems: readonly string[] }> {
  const { composer: texts } = currentTexts();
  const attachments: Attachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const part = file.size > mostBytes ? texts.tooLarge(file.name, mostBytes / 2 ** 20) : await partOf(file, texts);
    if (typeof part === 'string') problems.push(part);
    else attachments.push({ name: file.name, part });
  }
  return { attachments, problems };
}

/** Message part of a file, or the reason why there is none. */
async function partOf(file: File, texts: Texts['composer']): Promise<ContentPart | string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mediaType = mediaTypeOf(bytes);
  if (/^image\/(png|jpeg|gif|webp)$/.test(mediaType)) return { type: 'image', mediaType, data: base64(bytes) };
  if (mediaType.startsWith('audio/')) return { type: 'audio', mediaType, name: file.name, data: base64(bytes) };
  if (mediaType === 'application/pdf') return { type: 'file', mediaType, name: file.name, data: base64(bytes) };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return texts.unknownKind(file.name);
    if (text.length > mostCharacters) return texts.tooLong(file.name, mostCharacters);
    return { type: 'file', mediaType: 'text/plain', name: file.name, data: base64(bytes) };
  } catch {
    return texts.unknownKind(file.name);
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
