import { mediaTypeOf } from '@utensil/core';
import type { ContentPart } from '@utensil/core';

/** Something that is sent with a message. */
export interface Attachment {
  readonly name: string;
  readonly part: ContentPart;
}

const mostBytes = 10 * 2 ** 20;
const mostCharacters = 200_000;

/** What files are for a message: images, PDFs and texts as they are. `problems` says what could not be taken, and why. */
export async function attachmentsOf(
  files: readonly File[],
): Promise<{ readonly attachments: readonly Attachment[]; readonly problems: readonly string[] }> {
  const attachments: Attachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    const part = file.size > mostBytes ? `is larger than ${mostBytes / 2 ** 20} MB` : await partOf(file);
    if (typeof part === 'string')
      problems.push(`“${file.name}” ${part}: put it into the project's files instead, where tools can read it.`);
    else attachments.push({ name: file.name, part });
  }
  return { attachments, problems };
}

async function partOf(file: File): Promise<ContentPart | string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mediaType = mediaTypeOf(bytes);
  if (/^image\/(png|jpeg|gif|webp)$/.test(mediaType)) return { type: 'image', mediaType, data: base64(bytes) };
  if (mediaType === 'application/pdf') return { type: 'file', mediaType, name: file.name, data: base64(bytes) };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (text.includes('\0')) return 'is neither text nor a known kind of image or document';
    if (text.length > mostCharacters) return `has more than ${mostCharacters.toLocaleString()} characters`;
    return { type: 'file', mediaType: 'text/plain', name: file.name, data: base64(bytes) };
  } catch {
    return 'is neither text nor a known kind of image or document';
  }
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
