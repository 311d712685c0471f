import { defineTool, isUtensilError } from '@utensil/core';
import { decodeText, effectAt, fileError } from '@utensil/core/files';
import type { Files, FileStat } from '@utensil/core';
import * as z from 'zod/mini';
import { previewOf, versionOf } from './preview.ts';
import { unchanged } from './changed.ts';
import { optionalFlag, optionalText, pathField, projectField } from './fields.ts';
import { readPath, shownPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import { savedDifferently } from './saved.ts';
import { bytesLike } from './stored-text.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    path: pathField(),
    content: z
      .union([z.string(), z.record(z.string(), z.unknown())])
      .check(z.describe('The whole content, or with append the text to add. An object is written as JSON.')),
    append: optionalFlag('Appends to the file. Default false: the file is replaced.'),
    version: optionalText('The version that read_files showed: nothing is written if the file has changed since.'),
  }),
);

interface Writing {
  readonly path: string;
  readonly content: string | Readonly<Record<string, unknown>>;
  readonly append: boolean;
  readonly version?: string | undefined;
}

/**
 * Writes whole files or appends to them, creating parent directories. An existing file keeps its encoding, byte order
 * mark and line breaks.
 */
export const writeFileTool = /* @__PURE__ */ defineTool({
  name: 'write_file',
  title: 'Write a file',
  description:
    'Writes a whole file or appends to it, creating parent directories. To change part of a file, use edit_file.',
  input,
  ui: { subtitle: 'Creates and replaces files', icon: '📝', category: 'files' },
  effects: ({ append, path }) => (append === true ? effectAt('write', [path]) : 'destructive'),
  requires: { projects },
  execute: async ({ project: name, append = false, path: given, ...rest }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const path = fileIn(given);
    const done = await write(files, { ...rest, append, path });
    const note = done.saved === undefined ? undefined : await savedDifferently(files, path, done.saved);
    return note === undefined ? done.text : `${done.text}\n${note}`;
  },
  preview: async ({ project: name, append = false, path: given, ...rest }, _options, { host }) => {
    const { files } = await openProject(host.projects, name);
    const path = fileIn(given);
    return previewOf(files, [path], (staged) => write(staged, { ...rest, append, path }));
  },
  render: { title: ({ path, append }) => `${append === true ? 'Append to' : 'Write'} ${String(path)}` },
});

interface Written {
  readonly text: string;
  /** The expected text of the saved file. */
  readonly saved?: string;
}

async function write(files: Files, { path, content: given, append, version }: Writing): Promise<Written> {
  const content = typeof given === 'string' ? given : `${JSON.stringify(given, null, 2)}\n`;
  if (!content.isWellFormed()) throw fileError('EILSEQ', path, { hint: say('halfCharacter') });
  const before = await unchanged(files, path, version);
  const shown = shownPath(path);
  if (append) {
    const stat = await appendText(files, { path, content, ...(version !== undefined && { ifMatch: before?.etag }) });
    const added = stat.size - (before?.size ?? 0);
    const what = before === undefined ? say('newFile') : say('appended', { bytes: stat.size });
    return { text: say('written', { bytes: added, path: shown, what, version: versionOf(stat.etag) }) };
  }
  const bytes = bytesLike(content, before?.kind === 'file' ? await bytesAt(files, path) : undefined);
  const stat = await files.write(path, bytes, before === undefined ? { create: 'must' } : { ifMatch: before.etag });
  if (stat.etag === before?.etag) return { text: say('unchanged', { path: shown, version: versionOf(stat.etag) }) };
  const what = before === undefined ? say('newFile') : say('replaced', { bytes: before.size });
  return {
    text: say('written', { bytes: bytes.length, path: shown, what, version: versionOf(stat.etag) }),
    saved: decodeText(bytes)?.text ?? '',
  };
}

/** Current content of a file; undefined if it is damaged, so that nothing of it can be kept. */
async function bytesAt(files: Files, path: string): Promise<Uint8Array | undefined> {
  try {
    return (await files.read(path)).bytes;
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return undefined;
    throw error;
  }
}

interface Addition {
  readonly path: string;
  readonly content: string;
  /** Only if the file has this etag. */
  readonly ifMatch?: string | undefined;
}

async function appendText(files: Files, { path, content, ifMatch }: Addition): Promise<FileStat> {
  const isThere = (await files.stat(path))?.kind === 'file';
  const bytes = isThere ? (await files.read(path)).bytes : new Uint8Array();
  const known = decodeText(bytes);
  if (known === undefined) throw fileError('EINVAL', path, { hint: say('appendToBinary') });
  const isCrlf = known.text.includes('\r\n') && !/(?<!\r)\n/.test(known.text);
  const added = isCrlf ? content.replaceAll(/\r?\n/g, '\r\n') : content;
  if (ifMatch === undefined) return files.append(path, added);
  return files.write(path, bytesLike(known.text + added, bytes), { ifMatch });
}

/** Path of a file. Throws `EINVAL` for the root. */
function fileIn(given: string): string {
  const path = readPath(given);
  if (path === '/') throw fileError('EINVAL', given, { hint: say('rootPath') });
  return path;
}
