import { mountFiles, readOnly, subtree } from '@utensil/core/files';
import type { Files } from '@utensil/core';

/** Directory of personas and of the agents' files. */
export const home = '/minions';

/**
 * Files of an agent: a private directory as its root, with the project's `/share` read-only and `/sharerw` writable.
 */
export function agentFiles(files: Files, agent: string): Files {
  return mountFiles(subtree(files, `${home}/${agent}`), {
    '/share': readOnly(subtree(files, '/share')),
    '/sharerw': subtree(files, '/sharerw'),
  });
}

/** True if all agents and the project see this file under the same path. */
export function isShared(path: string): boolean {
  return /^\/share(?:rw)?\//.test(path);
}
