import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { statsAt } from './find.ts';
import { unless } from './refusal.ts';
import { keep } from './slots.ts';
import type { Slots } from './slots.ts';
import type { Step } from './step.ts';

// Takes a step back, as far as it came: of what was done after it nothing is left, and nothing of what was done before
// it has been taken back. May itself be interrupted and done again. What is still in the slot `incoming` has not come.

/** Takes a step back. */
export async function revert(disk: Disk, step: Step, slots: Slots): Promise<void> {
  const { fs } = disk;
  const host = hostPath(disk.root, step);
  const hasCome = (await statsAt(disk, slots.incoming)) === undefined;
  switch (step.type) {
    case 'remove':
      if ((await statsAt(disk, slots.outgoing)) !== undefined) await fs.rename(slots.outgoing, host);
      return;
    case 'make-directory':
      if (hasCome) await unless(() => fs.rmdir(host), 'ENOENT', 'ENOTDIR', 'ENOTEMPTY');
      return;
    case 'write':
      if (hasCome) await revertWrite(disk, host, slots);
      return;
    case 'move':
      if (hasCome) await revertMove(disk, host, hostPath(disk.root, step.to));
      return;
    case 'replace':
      await revertReplace(disk, { host, moved: hostPath(disk.root, step.to), hasCome });
  }
}

/** The old content is put back and kept too: it is what tells an overwritten file from a new one. */
async function revertWrite(disk: Disk, host: string, { outgoing, again }: Slots): Promise<void> {
  if ((await statsAt(disk, outgoing)) === undefined) {
    await unless(() => disk.fs.unlink(host), 'ENOENT', 'ENOTDIR');
    return;
  }
  await unless(() => disk.fs.unlink(again), 'ENOENT');
  await keep(disk, outgoing, again);
  await unless(() => disk.fs.rename(again, host), 'ENOENT', 'ENOTDIR');
}

async function revertMove(disk: Disk, host: string, moved: string): Promise<void> {
  const [here, there] = [await statsAt(disk, host), await statsAt(disk, moved)];
  const isOne = here !== undefined && there !== undefined && here.ino === there.ino && here.dev === there.dev;
  if (there !== undefined && (here === undefined || isOne)) await disk.fs.rename(moved, host);
}

/** Where a move is taken back that something may have come after. */
interface Replaced {
  readonly host: string;
  readonly moved: string;
  readonly hasCome: boolean;
}

async function revertReplace(disk: Disk, { host, moved, hasCome }: Replaced): Promise<void> {
  const [here, there] = [await statsAt(disk, host), await statsAt(disk, moved)];
  if (there === undefined) return;
  const isSecondName = here !== undefined && here.ino === there.ino && here.dev === there.dev;
  if (!hasCome && here !== undefined) {
    if (isSecondName && there.isFile()) await disk.fs.unlink(moved);
    return;
  }
  if (there.isDirectory() && here?.isFile() === true) await disk.fs.unlink(host);
  await disk.fs.rename(moved, host);
}
