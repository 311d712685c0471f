import { defineTool, messageForModel, result, UtensilError } from '@utensil/core';
import { decodeText, fileError, mediaTypeOf } from '@utensil/core/files';
import type { FileBytes, Files, TextPart } from '@utensil/core';
import { linesBetween } from './lines.ts';
import * as z from 'zod/mini';
import { optionalFlag, pathsField, projectField } from './fields.ts';
import { readLines, readPath, shownPath } from './path.ts';
import type { LinesOf } from './path.ts';
import { versionOf } from './preview.ts';
import { openProject, projects } from './projects.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({
    project: projectField(),
    paths: pathsField(
      'The paths of the files, optionally with a range of lines: src/main.ts, src/main.ts:10-20, src/main.ts:10-, src/main.ts:-20, src/main.ts:15.',
    ),
    prefix_line_numbers: optionalFlag(
      'Prefixes each line with its number and |, which are not part of it. Default false.',
    ),
    ignore_size_limit: optionalFlag('Reads files in full even if they are too large for that. Default false.'),
  }),
);

/** In bytes: limit for reading a file in full. */
const largest = 200 * 1024;

interface Reading {
  readonly files: Files;
  readonly project: string;
  readonly isNumbered: boolean;
  readonly ignoresSize: boolean;
}

type Loaded =
  | { readonly ok: true; readonly path: string; readonly part: TextPart }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/**
 * Reads text files, several at once and in parts. Unchanged content that the model has seen is not repeated.
 *
 * @example
 * ```ts
 * import { createFiles, runTool } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { projectsOf, readFilesTool } from '@utensil/tool-workspace';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes.md', 'one\ntwo\nthree\n');
 * const host = { projects: projectsOf({ notes: { files } }) };
 * const { modelParts } = await runTool(readFilesTool, { paths: ['notes.md:2-'] }, { host });
 * console.log(modelParts); // … two, three
 * ```
 */
export const readFilesTool = /* @__PURE__ */ defineTool({
  name: 'read_files',
  title: 'Read files',
  description:
    'Reads text files of a project, several at once, in full or some lines of them. Returns the version of each, by which a later change can detect changes by others.',
  input,
  ui: { subtitle: 'Reads files or lines of files', icon: '📖', category: 'files' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  execute: async ({ project: name, paths, prefix_line_numbers: isNumbered = false, ...rest }, _options, { host }) => {
    const { files, name: project } = await openProject(host.projects, name);
    const reading = { files, project, isNumbered, ignoresSize: rest.ignore_size_limit ?? false };
    const all = await Promise.all([...new Set(paths)].map((given) => load(given, reading)));
    const failed = all.flatMap((each) => (each.ok ? [] : [each]));
    const loaded = all.flatMap((each) => (each.ok ? [each] : []));
    const heads = failed.map(({ path, problem }) => say('notLoaded', { path, project, problem }));
    heads.push(say(loaded.length === 0 ? 'noneLoaded' : 'loaded'));
    const parts = [{ type: 'text' as const, text: heads.join('\n') }, ...loaded.map(({ part }) => part)];
    return result({
      output: {
        status: statusOf(loaded.length, failed.length),
        loaded: loaded.map(({ path }) => path),
        failed: failed.map(({ path, problem }) => ({ path, problem })),
      },
      parts,
      isError: loaded.length === 0 || failed.length > 0,
    });
  },
  render: { title: ({ paths }) => `Read ${(Array.isArray(paths) ? paths : []).join(', ')}`, status: shownStatus },
});

function statusOf(count: number, failed: number): string {
  return failed === 0 ? say('loadedStatus', { count }) : say('partlyLoadedStatus', { count, failed });
}

function shownStatus(output: unknown): string {
  const { status } = output as { readonly status?: unknown };
  return typeof status === 'string' ? status : '';
}

async function load(given: string, reading: Reading): Promise<Loaded> {
  try {
    const lines = await linesIn(given, reading.files);
    const path = readPath(lines.path);
    const file = await reading.files.read(path);
    return { ok: true, path: given, part: showFile(file, lines, reading) };
  } catch (error) {
    return { ok: false, path: given, problem: messageForModel(error) };
  }
}

/** A file name may look like a range of lines. */
async function linesIn(given: string, files: Files): Promise<LinesOf> {
  const lines = readLines(given);
  if (lines.path === given) return lines;
  const isThere = /^[^\\]+$/.test(given) && (await files.stat(readPath(given))) !== undefined;
  return isThere ? { path: given } : lines;
}

function showFile(file: FileBytes, { first, last }: LinesOf, { isNumbered, ignoresSize, project }: Reading): TextPart {
  const { path, bytes, etag } = file;
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw fileError('EINVAL', path, { hint: binaryHint(file) });
  const isWhole = first === undefined && last === undefined;
  const isRefused = isWhole && bytes.length > largest && !ignoresSize;
  const from = Math.max(first ?? 1, 1);
  const { lines, total } = linesBetween(decoded.text, from, isRefused ? 0 : (last ?? Infinity));
  if (isRefused) throw tooLarge(path, bytes.length, total);
  const to = from + lines.length - 1;
  if (!isWhole && lines.length === 0) throw noSuchLines(path, total, [first, last]);
  const shown = shownPath(path);
  const width = String(to).length;
  const body = isNumbered ? lines.map((line, index) => `${String(from + index).padStart(width + 2)} | ${line}`) : lines;
  const head = isWhole
    ? say('fileHead', { path: shown })
    : say('fileHeadLines', { path: shown, first: from, last: to, total });
  const version = say('fileVersion', { version: versionOf(etag) });
  const text = [`${head} [${version}]`, ...(body.length === 0 ? [say('emptyFile')] : body), say('fileEnd')].join('\n');
  const range = isWhole ? '' : `:${from}-${to}`;
  const key = `file:${project}:${shown}${range}${isNumbered ? ' numbered' : ''}`;
  return { type: 'text', text, resource: { key, etag } };
}

function binaryHint({ bytes, size }: FileBytes): string {
  const type = mediaTypeOf(bytes);
  const tool = type.startsWith('image/') ? 'view_images' : type === 'application/pdf' ? 'view_documents' : undefined;
  return say('binaryFile', { type, size }) + (tool === undefined ? '' : say('viewInstead', { tool }));
}

function tooLarge(path: string, bytes: number, lines: number): UtensilError {
  const values = { path: shownPath(path), size: Math.ceil(bytes / 1024), lines };
  const isMinified = bytes / Math.max(lines, 1) > 1_000;
  return new UtensilError('EFBIG', say('tooLargeToRead', values) + (isMinified ? say('minified') : ''), { path });
}

function noSuchLines(path: string, total: number, [first, last]: readonly (number | undefined)[]): UtensilError {
  const range = first === last ? `${first}` : `${first ?? ''}-${last ?? ''}`;
  return fileError('EINVAL', path, { hint: say('noSuchLines', { range, total }) });
}
