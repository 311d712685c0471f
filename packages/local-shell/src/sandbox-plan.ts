import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { UtensilError } from '@utensil/core';
import type { SandboxPlan } from './bubblewrap.ts';
import type { LocalShellOptions } from './options.ts';
import { privateFolders } from './private-folders.ts';
import { markVariable, sandboxVariable } from './process-tree.ts';

/** What keeps commands in, in words for people and models. */
export function sandboxText({ network = false, writable = [] }: LocalShellOptions): string {
  const changes = `only the project${writable.length > 0 ? ' and what the app names' : ''} can be changed`;
  return `${changes}, home directories are hidden, and the network ${network ? 'can' : 'cannot'} be reached`;
}

/** Sockets of services are below `/run`, and keys in home directories. Names of the network may need a file of there. */
export async function sandboxPlan(
  root: string,
  { network = false, writable = [], readable = [] }: LocalShellOptions,
): Promise<SandboxPlan> {
  const kept = ['/tmp', '/var/tmp', '/run', '/home', '/root', tmpdir(), homedir()];
  const hidden = new Set(await realPaths(kept.filter((path) => existsSync(path))));
  hidden.delete('/');
  const changeable = [root, ...(await realPaths(writable))];
  const sealed = await privateFolders(root, changeable.slice(1));
  const resolver = ['/etc/resolv.conf'].filter((path) => network && existsSync(path));
  return {
    hidden: [...hidden],
    readable: await realPaths([...resolver, ...readable]),
    writable: parentsFirst([
      ...changeable,
      ...[...changeable, ...sealed].flatMap((path) => ancestorsIn(changeable, path)),
    ]),
    sealed,
    network,
  };
}

/** The directories between a mounted one and the writable one around it. As mounts, they cannot be moved away with it. */
function ancestorsIn(writable: readonly string[], mounted: string): readonly string[] {
  const ancestors: string[] = [];
  for (let path = dirname(mounted); !writable.includes(path); path = dirname(path)) {
    if (path === dirname(path)) return []; // nothing around it is writable
    ancestors.push(path);
  }
  return ancestors;
}

/** A later mount covers earlier ones below it. */
function parentsFirst(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  try {
    return await Promise.all(paths.map(async (path) => realpath(path)));
  } catch (cause) {
    throw new UtensilError('ENOENT', 'A path that the app names for the sandbox of its shell is not there.', { cause });
  }
}

/** Counts processes by the one option of `ulimit` or the other: shells differ. */
const marking = `ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null; export ${markVariable}="$2"; unset ${sandboxVariable}; shift 2; exec "$@"`;

/** The same command, with its mark and its limit of processes. */
export function markedWords(
  words: readonly string[],
  { mark, processes }: { readonly mark: string; readonly processes: number },
): readonly string[] {
  return ['/bin/sh', '-c', marking, 'sh', String(processes), mark, ...words];
}
