import { isUtensilError, UtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import { home } from './agent-files.ts';

/** A persona for agents. */
export interface Persona {
  readonly name: string;
  /** First line of the file. */
  readonly summary: string;
}

const globalName = '_global';
const mostPersonas = 50;
const summaryLength = 100;

/** Personas of a project: the files `/minions/{name}.md`. */
export async function listPersonas(files: Files): Promise<readonly Persona[]> {
  const names = (await namesOf(files)).slice(0, mostPersonas);
  return Promise.all(names.map(async (name) => ({ name, summary: firstLine((await textOf(files, name)) ?? '') })));
}

/**
 * Instructions of an agent: the general part and its persona.
 *
 * @throws `ENOENT` for an unknown persona
 */
export async function readPersona(files: Files, name: string | undefined): Promise<readonly string[]> {
  const common = await textOf(files, globalName);
  const own = name === undefined ? undefined : await textOf(files, isName(name) ? name : undefined);
  if (name !== undefined && own === undefined) throw noPersona(name, await namesOf(files));
  return [common, own].filter((text) => text !== undefined);
}

function noPersona(name: string, names: readonly string[]): UtensilError {
  const known = names.length === 0 ? 'None exist.' : `Available: ${names.join(', ')}.`;
  return new UtensilError('ENOENT', `There is no persona ${JSON.stringify(name)}. ${known}`);
}

/** Not hidden, not `common`, and without a slash. */
function isName(name: string): boolean {
  return /^[^._/\\][^/\\]*$/.test(name);
}

async function namesOf(files: Files): Promise<readonly string[]> {
  try {
    const { entries } = await files.list(home);
    return entries
      .filter(({ kind, path }) => kind === 'file' && path.endsWith('.md'))
      .map(({ path }) => path.slice(home.length + 1, -'.md'.length))
      .filter(isName);
  } catch (error) {
    if (isUtensilError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

async function textOf(files: Files, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  try {
    return (await files.readText(`${home}/${name}.md`)).text.trim();
  } catch (error) {
    if (isUtensilError(error, 'ENOENT', 'ENOTDIR', 'EISDIR', 'EINVAL', 'ENAMETOOLONG', 'binary_file')) return undefined;
    throw error;
  }
}

function firstLine(text: string): string {
  const line = text
    .split('\n', 1)
    .join('')
    .replace(/^#+\s*/, '');
  return [...line].slice(0, summaryLength).join('');
}
