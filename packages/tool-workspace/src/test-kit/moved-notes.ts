import { createFiles, runTool, textOf } from '@utensil/core';
import type { Files } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { moveTool, projectsOf } from '../index.ts';

/** Files in memory with these texts, by paths without the first slash. */
export async function filesOf(contents: Readonly<Record<string, string>>): Promise<Files> {
  const files = createFiles(memoryStorage());
  for (const [path, content] of Object.entries(contents)) await files.write(`/${path}`, content);
  return files;
}

/** Moves a file with updated links, and returns the answer for the model. */
export async function move(files: Files, from: string, to: string): Promise<string> {
  const host = { projects: projectsOf({ app: { files } }) };
  return textOf((await runTool(moveTool, { from, to }, { host, options: { updateLinks: true } })).modelParts);
}

export async function textAt(files: Files, path: string): Promise<string> {
  return (await files.readText(path)).text;
}
