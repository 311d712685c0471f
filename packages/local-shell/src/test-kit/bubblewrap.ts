import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isUtensilError } from '@utensil/core';
import { tryBubblewrap } from '../bubblewrap.ts';

const home = join(import.meta.dirname, '../../../../.toolchain/bubblewrap');
const carried = join(home, 'usr/bin/bwrap');

/** A bubblewrap that works here, or why there is none. */
export type FoundBubblewrap = { readonly program: string } | { readonly reason: string };

/** The bubblewrap of this machine, or one that is brought. Some machines forbid what it needs: user namespaces. */
export async function findBubblewrap(): Promise<FoundBubblewrap> {
  try {
    return { program: await workingBubblewrap() };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

async function workingBubblewrap(): Promise<string> {
  const plan = { hidden: [], readable: [], writable: [], sealed: [], network: false };
  try {
    await tryBubblewrap('bwrap', plan);
    return 'bwrap';
  } catch (error) {
    if (!isUtensilError(error, 'ENOENT')) throw error;
  }
  if (!existsSync(carried)) unpack();
  await tryBubblewrap(carried, plan);
  return carried;
}

/** Out of the package of the distribution, which its own client gets and checks. Needs no root. */
function unpack(): void {
  mkdirSync(home, { recursive: true });
  const run = (program: string, words: readonly string[]): void =>
    void spawnSync(program, words, { cwd: home, stdio: 'ignore', timeout: 60_000 });
  run('apt-get', ['download', 'bubblewrap']);
  const archive = readdirSync(home).find((name) => name.endsWith('.deb'));
  if (archive !== undefined) run('dpkg-deb', ['-x', archive, '.']);
}
