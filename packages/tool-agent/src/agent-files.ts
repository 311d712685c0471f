import { mountFiles, readOnly, subtree } from '@utensil/core/files';
import type { Files } from '@utensil/core';

/** Where personas are, and the files of agents. */
export const home = '/minions';

/** The files of an agent: a directory of its own as its root, `/share` of the project to read, and `/sharerw` to change. */
export function agentFiles(files: Files, agent: string): Files {
  return mountFiles(subtree(files, `${home}/${agent}`), {
    '/share': readOnly(subtree(files, '/share')),
    '/sharerw': subtree(files, '/sharerw'),
  });
}

/** Whether all agents, and the project, have this file under the same path. */
export function isShared(path: string): boolean {
  return /^\/share(?:rw)?\//.test(path);
}
