import * as fs from 'node:fs/promises';
import type { FileSystem } from '@utensil/storage-filesystem';

/** Calls that change a disk. A process that ends before a read leaves the same state as before the next change. */
const changing = ['chmod', 'link', 'mkdir', 'rename', 'rmdir', 'symlink', 'unlink', 'writeFile'] as const;

/** A disk that ignores everything after this many changes, as if the process had ended. */
export function dyingDisk(changes: number): { readonly disk: FileSystem; changes(): number } {
  let made = 0;
  let isDead = false;

  function spend(): void {
    isDead ||= made >= changes;
    live();
    made++;
  }
  function live(): void {
    if (isDead) throw new Error('The process has ended.');
  }
  const wrap =
    (before: () => void, call: (...args: readonly unknown[]) => unknown) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      before();
      return call(...args);
    };
  const open = async (path: string, flags: string | number, mode?: number) => {
    (flags === 'wx' ? spend : live)();
    const handle = await fs.open(path, flags, mode);
    return Object.assign(handle, { writeFile: wrap(spend, handle.writeFile.bind(handle) as never) });
  };
  const all = Object.entries(fs).filter(([, call]) => typeof call === 'function');
  const isChanging = (name: string): boolean => changing.some((each) => each === name);
  const calls = all.map(([name, call]) => [name, wrap(isChanging(name) ? spend : live, call as never)] as const);
  return { disk: { ...Object.fromEntries(calls), open } as unknown as FileSystem, changes: () => made };
}
