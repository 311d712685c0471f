// Disks for tests: one that does nothing any more from some call on, and one without directories by number.

import * as fs from 'node:fs/promises';
import type { FileSystem } from './disk.ts';

const dead = (): Error => new Error('The process has ended.');

/** A disk that works for so many calls; a content that it is writing then is left half written. */
export function dyingAfter(calls: number): { readonly disk: FileSystem; isDead(): boolean } {
  let left = calls;
  const live =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (left-- <= 0) throw dead();
      return call(...args);
    };
  const open = async (...args: Parameters<typeof fs.open>) => {
    const handle = await fs.open(...args);
    const { writeFile } = handle;
    const half = async (content: Uint8Array | string): Promise<void> => {
      if (left-- > 0) return writeFile.call(handle, content);
      await writeFile.call(handle, content.slice(0, content.length / 2));
      throw dead();
    };
    return Object.assign(handle, { writeFile: half });
  };
  const all = Object.entries(fs).filter(([, call]) => typeof call === 'function') as [string, typeof fs.rename][];
  const disk = { ...Object.fromEntries(all.map(([name, call]) => [name, live(call)])), open: live(open) };
  return { disk: disk as unknown as FileSystem, isDead: () => left < 0 };
}

/** A disk that works until something is about to be renamed to a path that ends like this. */
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

/** A disk on which a directory is found again by its path only, as on macOS and Windows. */
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
