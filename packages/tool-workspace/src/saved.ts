import { decodeText } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import { versionOf } from './preview.ts';
import { say } from './texts.ts';

/** The saved content, if it differs from the written one because a formatter has changed it. */
export async function savedDifferently(files: Files, path: string, written: string): Promise<string | undefined> {
  const { bytes, etag } = await files.read(path);
  const saved = decodeText(bytes)?.text ?? '';
  return saved === written ? undefined : say('savedDifferently', { version: versionOf(etag), content: saved });
}
