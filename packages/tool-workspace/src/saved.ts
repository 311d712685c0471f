import { decodeText } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import { versionOf } from './preview.ts';
import { say } from './texts.ts';

/** What was saved, where it is not what was written: programs that format files come in between. */
export async function savedDifferently(files: Files, path: string, written: string): Promise<string | undefined> {
  const { bytes, etag } = await files.read(path);
  const saved = decodeText(bytes)?.text ?? '';
  return saved === written ? undefined : say('savedDifferently', { version: versionOf(etag), content: saved });
}
