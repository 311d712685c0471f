import { createFiles, createStage, entriesBelow, fileError } from '@utensil/core';
import type { Files, StorageDriver } from '@utensil/core';
import { listVersions, parseTrashName, record, turnDirectory, versionKey } from './layout.ts';
import type { StoredVersion } from './layout.ts';
import type { Done } from './recorder.ts';
import type { Past } from './shared.ts';
import { bringBack } from './trash.ts';

/** Takes back all that a turn did, the last thing first, in one commit. */
export async function undoTurn(past: Past, turn: string): Promise<void> {
  const time = past.now();
  const stage = createStage(past.driver);
  const done = await readDone(stage.driver, turn);
  if (done.length === 0)
    throw fileError('ESTALE', '/', { hint: `Nothing is known of the turn '${turn.slice(0, 100)}'.` });
  const driver = stage.driver;
  const work: Work = { past, turn, time, driver, since: past.newId(time), files: filesOver(past, driver, time) };
  const changed = new Set<string>();
  for (const each of done.toReversed()) {
    if (!(await takeBack(work, each))) changed.add(each.path);
  }
  if (changed.size > 0) throw changedSince([...changed]);
  await driver.commit({
    expect: [],
    changes: [{ type: 'remove', ...record(turnDirectory(turn)), recursive: true }],
    time,
  });
  const result = await stage.commit(time);
  if (!result.ok) throw changedSince([result.conflict.path]);
}

function filesOver(past: Past, driver: StorageDriver, time: number): Files {
  return createFiles(past.over(driver), { now: () => time, maxFileBytes: Infinity });
}

function changedSince(paths: readonly string[]): Error {
  const shown = paths.slice(0, 10).map((path) => `'${path}'`);
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '';
  const hint = `Changed since by somebody else: ${shown.join(', ')}${more}. Nothing was undone; restore versions one by one.`;
  return fileError('ECONFLICT', paths[0] ?? '/', { hint });
}

async function readDone(driver: StorageDriver, turn: string): Promise<readonly Done[]> {
  const done: Done[] = [];
  for await (const { tree, path } of entriesBelow(driver, record(turnDirectory(turn)), { depth: 1 })) {
    const found = await driver.read({ tree, path });
    if (found !== undefined) done.push(...(JSON.parse(new TextDecoder().decode(found.content)) as Done[]));
  }
  return done;
}

interface Work {
  readonly past: Past;
  readonly turn: string;
  readonly time: number;
  /** The stage, below what keeps versions. */
  readonly driver: StorageDriver;
  /** The stage, with versions kept. */
  readonly files: Files;
  /** Versions from this id on are of the undoing itself. */
  readonly since: string;
}

/** Takes back one thing; gives false where others have changed it since. */
async function takeBack(work: Work, done: Done): Promise<boolean> {
  const { files } = work;
  switch (done.type) {
    case 'write':
      return takeBackWrite(work, done);
    case 'make-directory':
      await files.remove(done.path).catch(() => {}); // not empty, or gone: it does no harm
      return true;
    case 'remove':
      return takeBackRemoval(work, done);
    case 'move':
      return files.move(done.to, done.path).then(
        () => true,
        () => false,
      );
  }
}

async function takeBackWrite(work: Work, { path, version }: Done & { readonly type: 'write' }): Promise<boolean> {
  const { files, driver } = work;
  const stored = await listVersions(driver, path);
  const found = version === undefined ? undefined : stored.find(({ id }) => id === version.slice(0, id.length));
  const made = stored.findLast(({ kind }) => kind === 'c');
  const from = version === undefined ? made : found;
  const isMine = stored.every((each) => from !== undefined && (each.id <= from.id || isOf(work, each)));
  const isThere = (await files.stat(path))?.kind === 'file';
  if (from === undefined || !isMine || !isThere) return false;
  if (version === undefined) {
    await files.remove(path);
    return true;
  }
  const content = from.kind === 'v' ? await driver.read(versionKey(path, from.name)) : undefined;
  if (content !== undefined) await files.write(path, content.content);
  return content !== undefined;
}

function isOf({ turn, since }: Work, { id, by }: StoredVersion): boolean {
  return by.turn === turn || id >= since;
}

async function takeBackRemoval({ driver, past, time }: Work, { trash, path }: Done & { readonly type: 'remove' }) {
  const id = parseTrashName(trash)?.id ?? trash;
  return bringBack(driver, { id, to: path, time, newId: past.newId }).then(
    () => true,
    () => false,
  );
}
