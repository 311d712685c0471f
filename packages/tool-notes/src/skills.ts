import { isUtensilError } from '@utensil/core';
import { isWithin, nameOf, resolvePath } from '@utensil/core/files';
import type { Files, FileText } from '@utensil/core';
import { frontMatterOf } from './front-matter.ts';

/** A skill: a directory in `/skills` whose `SKILL.md` contains instructions. */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly directory: string;
}

const root = '/skills';

/** All skills, sorted by name. Directories without a readable `SKILL.md` are skipped. */
export async function skillsIn(files: Files): Promise<readonly Skill[]> {
  const paths = (await filesBelow(files, root, 2)).filter((path) => /^\/skills\/[^/]+\/SKILL\.md$/.test(path));
  const skills = await Promise.all(paths.map((path) => skillAt(files, path)));
  return skills.filter((skill) => skill !== undefined);
}

async function skillAt(files: Files, path: string): Promise<Skill | undefined> {
  const text = (await readText(files, path))?.text;
  if (text === undefined) return undefined;
  const directory = path.slice(0, path.lastIndexOf('/'));
  const values = frontMatterOf(text);
  return { name: values.get('name') || nameOf(directory), description: values.get('description') ?? '', directory };
}

/** A text file of a skill; undefined if it is missing or not text. Paths outside the skill are refused. */
export async function readSkillFile(files: Files, skill: Skill, file: string): Promise<FileText | undefined> {
  const path = resolvePath(`${skill.directory}/${file}`);
  return isWithin(skill.directory, path) ? readText(files, path) : undefined;
}

/** Other files of a skill, as relative paths. */
export async function otherFilesOf(files: Files, { directory }: Skill): Promise<readonly string[]> {
  const paths = await filesBelow(files, directory, 32);
  return paths.map((path) => path.slice(directory.length + 1)).filter((path) => path !== 'SKILL.md');
}

async function filesBelow(files: Files, directory: string, depth: number): Promise<readonly string[]> {
  if ((await files.stat(directory))?.kind !== 'directory') return [];
  const paths: string[] = [];
  for (let after: string | undefined = ''; after !== undefined;) {
    const { entries, next } = await files.list(directory, { depth, ...(after !== '' && { after }) });
    paths.push(...entries.filter(({ kind }) => kind === 'file').map(({ path }) => path));
    after = next;
  }
  return paths;
}

async function readText(files: Files, path: string): Promise<FileText | undefined> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (isUtensilError(error)) return undefined;
    throw error;
  }
}
