// Disks for tests: one that stops working after some call, and one without directories by number.

import * as fs from 'node:fs/promises';
import type { FileSystem } from '../file-system.ts';

const dead = (): Error => new Error('The process has ended.');

/** Calls that change a disk. A crash before a read leaves the same state as one before the next of these. */
const changing: readonly string[] = ['chmod', 'link', 'mkdir', 'rename', 'rmdir', 'symlink', 'unlink', 'writeFile'];

/** A disk that dies after a number of changes; a content in progress is left half written. */
export function dyingAfter(changes: number): { readonly disk: FileSystem; isDead(): boolean } {
  let left = changes;
  let isDead = false;
  function spend(): void {
    isDead ||= left-- <= 0;
    live();
  }
  function live(): void {
    if (isDead) throw dead();
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
    const { writeFile } = handle;
    const half = async (content: Uint8Array | string): Promise<void> => {
      live();
      if (left > 0) return wrap(spend, writeFile.bind(handle) as never)(content) as Promise<void>;
      await writeFile.call(handle, content.slice(0, content.length / 2));
      spend();
    };
    return Object.assign(handle, { writeFile: half });
  };
  const all = Object.entries(fs).filter(([, call]) => typeof call === 'function');
  const calls = all.map(([name, call]) => [name, wrap(changing.includes(name) ? spend : live, call as never)] as const);
  return { disk: { ...Object.fromEntries(calls), open } as unknown as FileSystem, isDead: () => isDead };
}

/** A disk that works until a rename to a path with this suffix. */
export function dyingBefore(end: string): FileSystem {
  let isDead = false;
  const live =
    (call: (...args: readonly unknown[]) => unknown) =>
    async (...args: readonly unknown[]): Promise<unknown> => {
      isDead ||= args.length === 2 && String(args[1]).endsWith(end);
      if (isDead) throw dead();
      return call(...args);
    };
  const all = Object.entries(fs).filter(([, call]) => typeof call === 'function');
  return Object.fromEntries(all.map(([name, call]) => [name, live(call as never)])) as unknown as FileSystem;
}

/** A disk on which a directory is found again only by path, as on macOS and Windows. */
export const diskWithoutNumbers: FileSystem = {
  ...fs,
  open: async (...args: Parameters<typeof fs.open>) =>
    new Proxy(await fs.open(...args), {
      get(handle, name) {
        const member: unknown = name === 'fd' ? undefined : Reflect.get(handle, name);
        return typeof member === 'function' ? (member.bind(handle) as unknown) : member;
      },
    }),
};
