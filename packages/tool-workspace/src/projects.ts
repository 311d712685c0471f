import { capability, UtensilError } from '@utensil/core';
import { hasTaint, seenBy } from '@utensil/core/files';
import type { Capability, Files } from '@utensil/core';
import type { FilesObserver } from '@utensil/core/files';
import { readerOf } from './reader.ts';
import type { Answer, FileReader } from './reader.ts';
import { say } from './texts.ts';

/** A project as offered by a host. */
export interface ProjectSource {
  readonly files: Files;
  /** A faster reader of the same files, for searches: `directoryReader` of `@utensil/storage-filesystem` is one. */
  readonly reader?: FileReader;
  /** Short description. */
  readonly description?: string;
}

/** A project that models can work on. */
export interface Project extends ProjectSource {
  readonly name: string;
}

/** Projects of a host. */
export interface Projects {
  /** In display order. */
  list(): Answer<readonly Pick<Project, 'name' | 'description'>[]>;
  /** Undefined if no project has this name. */
  open(name: string): Answer<Project | undefined>;
}

/** Capability: projects that models may read and change. */
export const projects: Capability<Projects> = /* @__PURE__ */ capability<Projects>('projects', { seenBy: observed });

/** Projects as a run sees them. A `reader` does not track outside content, so it is used only if there is none. */
function observed(offered: Projects, observer: FilesObserver): Projects {
  return {
    list: () => offered.list(),
    async open(name) {
      const found = await offered.open(name);
      if (found === undefined) return undefined;
      const { reader, ...project } = { ...found, files: seenBy(found.files, observer) };
      return reader === undefined || (await hasTaint(project.files)) ? project : { ...project, reader };
    },
  };
}

/**
 * Offers projects by name. Models need not name a single project.
 *
 * @example
 * ```ts
 * import { createFiles, runTool } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { projectsOf, writeFileTool } from '@utensil/tool-workspace';
 *
 * const host = { projects: projectsOf({ app: { files: createFiles(memoryStorage()) } }) };
 * const { output } = await runTool(writeFileTool, { path: 'notes/todo.md', content: 'buy milk\n' }, { host });
 * console.log(output); // Successfully wrote 9 bytes to file 'notes/todo.md' (new file, version …)
 * ```
 */
export function projectsOf(sources: Readonly<Record<string, ProjectSource>>): Projects {
  const all = Object.entries(sources).map(([name, source]): Project => ({ ...source, name }));
  return {
    list: () => all.map(({ name, description }) => (description === undefined ? { name } : { name, description })),
    open: (name) => all.find((project) => project.name === name),
  };
}

/** A project with the fastest reader of its files. */
export interface OpenProject extends Project {
  readonly reader: FileReader;
}

/** The project of a call; the only one if the call names none. Throws `EINVAL`, `ENOENT`. */
export async function openProject(offered: Projects, name?: string): Promise<OpenProject> {
  const known = await offered.list();
  const names = known.map((each) => each.name).join(', ');
  if (known.length === 0) throw new UtensilError('ENOENT', say('noProjects'));
  if (name === undefined && known.length > 1) throw new UtensilError('EINVAL', say('projectRequired', { names }));
  const wanted = name ?? known[0]?.name ?? '';
  const found = await offered.open(wanted);
  if (found === undefined) throw new UtensilError('ENOENT', say('unknownProject', { project: wanted, names }));
  return { ...found, reader: found.reader ?? readerOf(found.files) };
}
