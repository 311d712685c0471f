import { defineTool, messageForModel, result } from '@utensil/core';
import { fileError, mediaTypeOf } from '@utensil/core/files';
import type { ContentPart, Files } from '@utensil/core';
import * as z from 'zod/mini';
import { toBase64 } from './base64.ts';
import { pathsField, projectField } from './fields.ts';
import { readPath, shownPath } from './path.ts';
import { openProject, projects } from './projects.ts';
import { say } from './texts.ts';

const input = /* @__PURE__ */ z.toJSONSchema(
  z.object({ project: projectField(), paths: pathsField('The paths of the images.') }),
);

const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** In megabytes. */
const largest = 20;

/** Shows images to models with vision. */
export const viewImagesTool = /* @__PURE__ */ defineTool({
  name: 'view_images',
  title: 'View images',
  description: 'Shows images of a project: PNG, JPEG, GIF and WebP, of at most 20 MB.',
  input,
  ui: { subtitle: 'Views images', icon: '🖼️', category: 'files' },
  effects: 'read',
  idempotent: true,
  requires: { projects },
  execute: async ({ project: name, paths }, _options, { host }) => {
    const { files, name: project } = await openProject(host.projects, name);
    const all = await Promise.all(paths.map((given) => load(files, given)));
    const failed = all.flatMap(({ path, problem }) => (problem === undefined ? [] : [{ path, problem }]));
    const heads = failed.map(({ path, problem }) => say('notLoaded', { path, project, problem }));
    const status = say('imagesStatus', { count: all.length - failed.length });
    const text: ContentPart = { type: 'text', text: [...heads, status].join('\n') };
    const shown = all.flatMap(({ parts }) => parts);
    return result({ output: { status, failed }, parts: [text, ...shown], isError: failed.length > 0 });
  },
  render: { title: ({ paths }) => `View ${(Array.isArray(paths) ? paths : []).join(', ')}` },
});

interface Loaded {
  readonly path: string;
  readonly problem?: string;
  readonly parts: readonly ContentPart[];
}

async function load(files: Files, given: string): Promise<Loaded> {
  try {
    const path = readPath(given);
    const size = (await files.stat(path))?.size ?? 0;
    const megabytes = (size / 1_000_000).toFixed(1);
    if (size > largest * 1_000_000)
      throw fileError('EFBIG', path, { hint: say('imageTooLarge', { size: megabytes, limit: largest }) });
    const { bytes } = await files.read(path);
    const type = mediaTypeOf(bytes);
    if (!shownTypes.has(type)) throw fileError('EINVAL', path, { hint: say('noImage', { type }) });
    const head = say('imageShown', { path: shownPath(path), type, size: bytes.length });
    const image: ContentPart = { type: 'image', mediaType: type, data: toBase64(bytes) };
    return { path: given, parts: [{ type: 'text', text: head }, image] };
  } catch (error) {
    return { path: given, problem: messageForModel(error), parts: [] };
  }
}
