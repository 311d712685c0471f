import { nameOf, parentOf } from '@utensil/core/files';
import { entriesBelow } from '@utensil/core/storage';
import type { StorageDriver } from '@utensil/core/storage';
import { timeOf } from './ids.ts';
import {
  filesRoot,
  idOfTurnNote,
  listVersions,
  parseVersionName,
  pathOfVersions,
  record,
  trashRoot,
  turnsRoot,
} from './layout.ts';
import { thinOut, trashAge } from './retention.ts';
import { commitFreeing } from './room.ts';
import type { Shared } from './shared.ts';
import { idInTrash } from './trash-name.ts';

/** Number of dropped versions and trash entries. */
export interface Compacted {
  readonly versions: number;
  readonly trashed: number;
}

/** Options of {@link compact}. */
export type CompactOptions = Pick<Shared, 'driver' | 'retention' | 'now'>;

/** Drops versions and trash entries beyond the retention, file by file. */
export async function compact({ driver, retention, now }: CompactOptions): Promise<Compacted> {
  const time = now();
  const limit = time - trashAge(retention);
  let versions = 0;
  for (const path of await pathsWithVersions(driver)) {
    const [entry] = await driver.stat([{ tree: 'files', path }]);
    const stored = await listVersions(driver, path);
    const changes = thinOut(path, stored, { retention, now: time, isGone: entry === undefined });
    const moves = changes.filter(({ type }) => type === 'move').length;
    versions += Math.max(0, (await commitFreeing(driver, changes, time)) - moves);
  }
  const trashed = await dropBelow(driver, trashRoot, {
    time,
    isOld: (name) => isBefore(idInTrash(name), limit),
  });
  const turns = await childrenOf(driver, turnsRoot);
  for (const turn of turns) {
    await dropBelow(driver, turn, { time, isOld: (name) => isBefore(idOfTurnNote(name), limit) });
  }
  await dropEmpty(driver, time);
  return { versions, trashed };
}

function isBefore(id: string | undefined, limit: number): boolean {
  return id !== undefined && timeOf(id) < limit;
}

async function pathsWithVersions(driver: StorageDriver): Promise<readonly string[]> {
  const directories = new Set<string>();
  for await (const { kind, path } of entriesBelow(driver, record(filesRoot))) {
    if (kind === 'file' && parseVersionName(nameOf(path)) !== undefined) directories.add(parentOf(path));
  }
  return [...directories].map(pathOfVersions);
}

async function childrenOf(driver: StorageDriver, directory: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of entriesBelow(driver, record(directory), { depth: 1 })) paths.push(path);
  return paths;
}

async function dropBelow(
  driver: StorageDriver,
  directory: string,
  { time, isOld }: { readonly time: number; readonly isOld: (name: string) => boolean },
): Promise<number> {
  let dropped = 0;
  for (const path of (await childrenOf(driver, directory)).filter((each) => isOld(nameOf(each)))) {
    const changes = [{ type: 'remove', ...record(path), recursive: true } as const];
    if ((await driver.commit({ expect: [], changes, time })).ok) dropped++;
  }
  return dropped;
}

/** Removes empty directories, the deepest first. */
async function dropEmpty(driver: StorageDriver, time: number): Promise<void> {
  const directories: string[] = [];
  const full = new Set<string>();
  for (const root of [filesRoot, turnsRoot]) {
    for await (const { kind, path } of entriesBelow(driver, record(root))) {
      if (kind === 'directory') directories.push(path);
      else full.add(parentOf(path));
    }
  }
  for (const path of directories.toReversed()) {
    if (full.has(path)) full.add(parentOf(path));
    else await driver.commit({ expect: [], changes: [{ type: 'remove', ...record(path) }], time });
  }
}
