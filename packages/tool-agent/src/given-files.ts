import { UtensilError } from '@utensil/core';
import { mediaTypeOf, nameOf, resolvePath } from '@utensil/core/files';
import type { ContentPart, Files } from '@utensil/core';
import { isShared } from './agent-files.ts';
import type { waysOfFiles } from './input.ts';

/** Files to give to an agent, and the way to do it. */
export interface GivenFiles {
  readonly paths: readonly string[];
  readonly as: (typeof waysOfFiles)[number];
  /** Files of the run. */
  readonly from: Files;
  /** Files of the agent. */
  readonly to: Files;
}

const longestText = 50_000;
const largestFile = 10_000_000;

/** Message parts for the given files; copies files to the agent if requested. */
export async function giveFiles({ paths, as, from, to }: GivenFiles): Promise<readonly ContentPart[]> {
  const resolved = [...new Set(paths.map((path) => resolvePath(path)))];
  if (as === 'text') return Promise.all(resolved.map((path) => asText(from, path)));
  if (as === 'attached') return Promise.all(resolved.map((path) => asAttachment(from, path)));
  if (from !== to)
    for (const path of resolved) if (!isShared(path)) await to.write(path, (await read(from, path)).bytes);
  const list = resolved.map((path) => `- ${path}`).join('\n');
  return resolved.length === 0 ? [] : [{ type: 'text', text: `\n\nAmong your files are:\n${list}` }];
}

async function asText(files: Files, path: string): Promise<ContentPart> {
  const { text } = await files.readText(path);
  const left = text.length - longestText;
  const shown = left > 0 ? `${text.slice(0, longestText)}\n[… ${left} characters omitted …]` : text;
  return { type: 'text', text: `\n\n<file path=${JSON.stringify(path)}>\n${shown}\n</file>` };
}

async function asAttachment(files: Files, path: string): Promise<ContentPart> {
  const { bytes } = await read(files, path);
  const data = toBase64(bytes);
  const mediaType = mediaTypeOf(bytes);
  if (mediaType.startsWith('image/')) return { type: 'image', mediaType, data };
  return { type: mediaType.startsWith('audio/') ? 'audio' : 'file', mediaType, name: nameOf(path), data };
}

async function read(files: Files, path: string): Promise<{ readonly bytes: Uint8Array }> {
  const found = await files.stat(path);
  if ((found?.size ?? 0) > largestFile)
    throw new UtensilError(
      'EFBIG',
      `${path} is too large to be given: ${found?.size} bytes; the limit is ${largestFile}.`,
    );
  return files.read(path);
}

const portion = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += portion) binary += String.fromCharCode(...bytes.subarray(at, at + portion));
  return btoa(binary);
}
