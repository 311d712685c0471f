import { isUtensilError } from '../../base/errors.ts';
import { fileError, quotePath } from '../file-error.ts';
import type { FileBytes, Files, FileStat } from '../files.ts';
import { carrier, seenBy } from '../taint/observer.ts';

/** Source and target files. */
interface Ends {
  readonly from: Files;
  readonly to: Files;
}

interface Route {
  readonly from: string;
  readonly to: string;
  readonly overwrite: boolean;
}

/** Copies a file to other files. */
export async function copyAcross(ends: Ends, route: Route): Promise<FileStat> {
  const files = carrying(ends);
  const { bytes } = await files.from.read(route.from);
  return put(files.to, bytes, route);
}

/** Moves a file to other files: copies it, then removes the original unless it has changed since. */
export async function moveAcross(ends: Ends, route: Route): Promise<FileStat> {
  const files = carrying(ends);
  const { from, to } = route;
  if ((await files.from.stat(from))?.kind === 'directory') {
    const hint = `What is in it would go to other files, at ${quotePath(to)}: move it file by file.`;
    throw fileError('EXDEV', from, { hint });
  }
  const source = await files.from.read(from);
  await confirm(files.from, source);
  const moved = await put(files.to, source.bytes, route);
  await files.from.remove(from, { ifMatch: source.etag }).catch((error: unknown) => {
    if (!isUtensilError(error, 'ECONFLICT', 'ENOENT')) throw error;
    const hint = `It was changed while it was copied to ${quotePath(to)}: both are there. Compare them.`;
    throw fileError('ECONFLICT', from, { hint });
  });
  return moved;
}

/** Outside content stays outside content in the other storage. */
function carrying({ from, to }: Ends): Ends {
  const observer = carrier();
  return { from: seenBy(from, observer), to: seenBy(to, observer) };
}

/** Fails early if the file cannot be changed, before it is copied: rewriting the same bytes is a no-op. */
async function confirm(files: Files, { path, bytes, etag }: FileBytes): Promise<void> {
  await files.write(path, bytes, { create: 'never', ifMatch: etag });
}

async function put(files: Files, bytes: Uint8Array, { to, overwrite }: Route): Promise<FileStat> {
  const target = await files.stat(to);
  if (target?.kind === 'directory') throw fileError('EEXIST', to, { hint: 'It is a directory.' });
  return files.write(to, bytes, { create: overwrite ? 'may' : 'must' });
}
