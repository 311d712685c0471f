import { defineTool, messageForModel, result } from '@utensil/core';
import { decodeText, fileError, mediaTypeOf } from '@utensil/core/files';
import type { FileBytes, Files, TextPart } from '@utensil/core';
import type { PdfText } from '@utensil/pdf-text';
import * as z from 'zod/mini';
import { optionalNumber, pathsField, projectField } from './fields.ts';
import { readPath, shownPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    paths: pathsField('The paths of the documents.'),
    offset: optionalNumber(
      'To continue a long document: the offset in characters, as given with its last part.',
      0,
      10_000_000,
    ),
  }),
);

/** In megabytes, and in characters of all documents of a call. */
const [largest, mostText] = [50, 150_000];

/** Shows the text of documents. */
export const viewDocumentsTool = /* @__PURE__ */ defineTool({
  name: 'view_documents',
  title: 'View documents',
  description:
    'Shows the text of PDF documents of a project, of at most 50 MB. A long one comes in parts. Office documents cannot be read.',
  input,
  ui: { subtitle: 'Reads PDF documents', icon: '📄', category: 'files' },
  effects: 'read',
  idempotent: true,
  outputLimit: mostText + 10_000,
  requires: { projects },
  execute: async ({ project: name, paths, offset = 0 }, _options, { host, signal }) => {
    const { files, name: project } = await openProject(host.projects, name);
    const length = Math.floor(mostText / paths.length);
    const failed: { readonly path: string; readonly problem: string }[] = [];
    const parts: TextPart[] = [];
    for (const given of paths) {
      try {
        const file = await readFile(files, readPath(given));
        parts.push(showDocument(file, await textOf(file, signal), { project, offset, length }));
      } catch (error) {
        signal.throwIfAborted();
        failed.push({ path: given, problem: messageForModel(error) });
      }
    }
    const status = say('documentsStatus', { count: parts.length });
    const heads = failed.map(({ path, problem }) => say('notLoaded', { path, project, problem }));
    const text: TextPart = { type: 'text', text: [...heads, status].join('\n') };
    return result({ output: { status, failed }, parts: [text, ...parts], isError: failed.length > 0 });
  },
  render: { title: ({ paths }) => `View ${(Array.isArray(paths) ? paths : []).join(', ')}` },
});

const limits = { pages: 1_000, characters: 5_000_000 };

async function readFile(files: Files, path: string): Promise<FileBytes> {
  const size = (await files.stat(path))?.size ?? 0;
  const megabytes = (size / 1_000_000).toFixed(1);
  if (size > largest * 1_000_000)
    throw fileError('EFBIG', path, { hint: say('documentTooLarge', { size: megabytes, limit: largest }) });
  return files.read(path);
}

async function textOf({ path, bytes }: FileBytes, signal: AbortSignal): Promise<PdfText> {
  const type = mediaTypeOf(bytes);
  if (type === 'text/plain') return { text: decodeText(bytes)?.text ?? '', pages: 1, read: 1 };
  if (type !== 'application/pdf')
    throw fileError('EINVAL', path, { hint: say('documentKind', { type: kindOf(path, type) }) });
  try {
    const { readPdf } = await import('@utensil/pdf-text');
    return await readPdf(bytes, { signal, limits });
  } catch (error) {
    throw fileError('EINVAL', path, { hint: say('documentBroken', { problem: messageForModel(error) }) });
  }
}

const kinds: Readonly<Record<string, string>> = {
  docx: 'Word',
  xlsx: 'Excel',
  pptx: 'PowerPoint',
  odt: 'OpenDocument',
};

function kindOf(path: string, type: string): string {
  return kinds[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? type;
}

interface Part {
  readonly project: string;
  readonly offset: number;
  readonly length: number;
}

function showDocument(
  { path, etag }: FileBytes,
  { text, pages, read, problem = '' }: PdfText,
  { project, offset, length }: Part,
): TextPart {
  const shown = text.slice(offset, offset + length);
  const next = offset + shown.length;
  const missing = text.length - next;
  const notes = missing > 0 ? [say('documentCut', { missing, total: text.length, next })] : [];
  if (read < pages) notes.push(say('documentPartlyRead', { pages, read, problem }).trimEnd());
  const head = say('documentHead', { path: shownPath(path), pages });
  const body = shown === '' ? say('documentEmpty') : shown;
  const key = `document:${project}:${shownPath(path)}:${offset}+${length}`;
  return { type: 'text', text: [head, body, ...notes, say('documentEnd')].join('\n'), resource: { key, etag } };
}
