import { createFiles, runTool, textOf } from '@utensil/core';
import type { Host, JsonObject, ProjectFiles, Tool } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { projectsOf } from '../projects.ts';

/** A project of some files, and results of tools on it. */
export interface Workspace {
  readonly files: ProjectFiles;
  readonly host: Host;
  /** Result of a call as shown to the model, and whether it is a failure. */
  ask(tool: Tool, input: JsonObject): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** A project `app` of these files. */
export async function workspaceOf(contents: Readonly<Record<string, string | Uint8Array>>): Promise<Workspace> {
  const files = createFiles(memoryStorage());
  for (const [path, content] of Object.entries(contents)) await files.write(`/${path}`, content);
  const host = { projects: projectsOf({ app: { files } }) };
  return {
    files,
    host,
    async ask(tool, input) {
      const { modelParts, isError } = await runTool(tool, input, { host });
      return { text: textOf(modelParts), isError };
    },
  };
}
