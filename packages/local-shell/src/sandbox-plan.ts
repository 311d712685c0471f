import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { UtensilError } from '@utensil/core';
import type { SandboxPlan } from './bubblewrap.ts';
import type { LocalShellOptions } from './options.ts';
import { privateFolders } from './private-folders.ts';
import { markVariable, sandboxVariable } from './process-tree.ts';

/** Description of the sandbox for people and models. */
export function sandboxText({ network = false, writable = [] }: LocalShellOptions): string {
  const changes = `only the project${writable.length > 0 ? ' and directories chosen by the app' : ''} can be changed`;
  return `${changes}, home directories are hidden, and the network ${network ? 'can' : 'cannot'} be reached`;
}

/** Service sockets are below `/run`, and keys are in home directories. Name resolution may need a file from there. */
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

/** Directories between a mount and the writable directory around it. Mounted themselves, they cannot be moved away. */
function ancestorsIn(writable: readonly string[], mounted: string): readonly string[] {
  const ancestors: string[] = [];
  for (let path = dirname(mounted); !writable.includes(path); path = dirname(path)) {
    if (path === dirname(path)) return []; // not inside a writable directory
    ancestors.push(path);
  }
  return ancestors;
}

/** A later mount hides earlier ones below it. */
function parentsFirst(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}

async function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  try {
    return await Promise.all(paths.map(async (path) => realpath(path)));
  } catch (cause) {
    throw new UtensilError('ENOENT', "A path in the shell's sandbox options does not exist.", { cause });
  }
}

/** Shells differ in the option of `ulimit` for processes. */
const marking = `ulimit -u "$1" 2>/dev/null || ulimit -p "$1" 2>/dev/null; export ${markVariable}="$2"; unset ${sandboxVariable}; shift 2; exec "$@"`;

/** The command with its mark and its process limit. */
export function markedWords(
  words: readonly string[],
  { mark, processes }: { readonly mark: string; readonly processes: number },
): readonly string[] {
  return ['/bin/sh', '-c', marking, 'sh', String(processes), mark, ...words];
}
