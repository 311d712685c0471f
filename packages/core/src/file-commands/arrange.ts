import { isWithin } from '../files/paths.ts';
import { done, refused } from './call.ts';
import type { Call, CommandAnswer } from './call.ts';

/** Creates a directory. */
export async function makeDirectory({ files, path, root, texts, values }: Call): Promise<CommandAnswer> {
  if (path === root) return refused(texts.directoryRoot, values);
  const existing = await files.stat(path);
  if (existing !== undefined) {
    return refused(existing.kind === 'directory' ? texts.directoryExists : texts.fileInTheWay, values);
  }
  await files.makeDirectory(path);
  return done(texts.directoryCreated, values);
}

/** Deletes a file, or a directory with its contents. */
export async function remove({ files, path, root, texts, values }: Call): Promise<CommandAnswer> {
  if (path === root) return refused(texts.deleteRoot, values);
  await files.remove(path, { recursive: true });
  return done(texts.deleted, values);
}

/** Renames or moves a file or directory. */
export async function rename(call: Call): Promise<CommandAnswer> {
  const { files, from, to, root, texts, values } = call;
  if (from === root) return refused(texts.renameRoot, values);
  if ((await files.stat(from)) === undefined) return refused(texts.renameMissing, values);
  if (from !== to && isWithin(from, to)) return refused(texts.renameIntoItself, values);
  const inTheWay = await destination(call, texts.renameExists);
  if (inTheWay !== undefined) return inTheWay;
  await files.move(from, to, { overwrite: call.input.overwrite === true });
  return done(texts.renamed, values);
}

/** Copies a file. */
export async function copy(call: Call): Promise<CommandAnswer> {
  const { files, from, to, root, texts, values } = call;
  const source = await files.stat(from);
  if (from === root || source?.kind === 'directory') return refused(texts.copyDirectory, values);
  if (source === undefined) return refused(texts.copyMissing, values);
  if (to === root) return refused(texts.copyRoot, values);
  const inTheWay = await destination(call, texts.copyExists);
  if (inTheWay !== undefined) return inTheWay;
  await files.copy(from, to, { overwrite: call.input.overwrite === true });
  return done(texts.copied, values);
}

/** Answer for an unusable destination. Nothing is ever replaced by itself, and a directory is never replaced. */
async function destination(
  { files, from, to, root, input, texts, values }: Call,
  exists: string,
): Promise<CommandAnswer | undefined> {
  const existing = await files.stat(to);
  const isTaken = existing !== undefined || to === root;
  if (isTaken && (input.overwrite !== true || from === to)) return refused(exists, values);
  const isDirectory = isTaken && existing?.kind !== 'file';
  return isDirectory ? refused(texts.destinationDirectory, values) : undefined;
}
