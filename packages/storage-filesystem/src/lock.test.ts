import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createFiles } from '@utensil/core';
import type { ProjectFiles } from '@utensil/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDisk } from './create-disk.ts';
import type { Disk } from './disk.ts';
import { gate } from './test-kit/gate.ts';
import { filesystemStorage } from './filesystem.ts';
import { createLock } from './lock.ts';

let root: string;
let directory: string;
let disk: Disk;

beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  disk = createDisk(fs, { root, syncs: false });
  directory = disk.places.lock;
  await fs.mkdir(directory, { recursive: true });
});
afterEach(() => fs.rm(root, { recursive: true }));

/** The name that an owner on this machine leaves, with another process in it. */
async function ownerWith(change: {
  readonly pid?: number;
  readonly host?: string;
  readonly start?: string;
}): Promise<string> {
  let owner = '';
  await createLock(
    disk,
    100,
  )(async () => {
    owner = await fs.readlink(join(directory, '1'));
  });
  const [host = '', pid = '', start = '', ...id] = owner.split('-');
  return [change.host ?? host, change.pid ?? pid, change.start ?? start, ...id].join('-');
}

const ended = (): number => spawnSync(process.execPath, ['--version']).pid;

describe('the lock', () => {
  it('is held by one at a time, of many', async () => {
    const events: string[] = [];
    const work = async (): Promise<void> => {
      events.push('enter');
      await pause(1);
      events.push('leave');
    };
    const locks = Array.from({ length: 3 }, () => createLock(disk, 10_000));
    await Promise.all([...locks, ...locks, ...locks, ...locks].map((lock) => lock(work)));
    expect(events).toEqual(Array.from({ length: 12 }, () => ['enter', 'leave']).flat());
    expect(await fs.readdir(directory)).toEqual([]);
  });

  it('is taken once for all that waits for it here', async () => {
    let taken = 0;
    const symlink: typeof fs.symlink = async (text, path) => {
      if (path === join(directory, '1')) taken++;
      await fs.symlink(text, path);
    };
    const lock = createLock({ ...disk, fs: { ...fs, symlink } }, 100);
    expect(await Promise.all([1, 2, 3, 4].map((each) => lock(async () => each)))).toEqual([1, 2, 3, 4]);
    expect(taken).toBe(1);
  });

  it('is left to others by one that never has enough', async () => {
    const [greedy, patient] = [createLock(disk, 10_000), createLock(disk, 10_000)];
    const over = new AbortController();
    const insist = async (): Promise<void> => {
      while (!over.signal.aborted) await greedy(() => pause(1));
    };
    const insisting = [insist(), insist(), insist()];
    await greedy(async () => {});
    for (let turn = 0; turn < 20; turn++) await patient(async () => {});
    over.abort();
    await Promise.all(insisting);
    await greedy(async () => {});
    expect([await fs.readdir(directory), (await fs.readdir(join(root, '.utensil'))).includes('knock')]).toEqual([
      [],
      false,
    ]);
  });

  it('tells who has it whether somebody else had it meanwhile', async () => {
    const [one, two] = [createLock(disk, 1000), createLock(disk, 1000)];
    const seen = [];
    for (const lock of [one, one, two, one, one]) seen.push(await lock(async ({ isAlone }) => isAlone));
    await fs.symlink(await ownerWith({ pid: ended() }), join(directory, '1'));
    for (const lock of [one, one]) seen.push(await lock(async ({ isAlone }) => isAlone));
    expect(seen).toEqual([false, true, false, false, true, false, true]);
  });

  it('is given back by work that fails', async () => {
    const lock = createLock(disk, 100);
    await expect(lock(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lock(async () => 'yes')).toBe('yes');
  });

  it('is not waited for without end', async () => {
    const [holds, isOver] = [gate(), gate()];
    const held = createLock(disk, 100)(() => (holds.open(), isOver.opened));
    await holds.opened;
    await expect(createLock(disk, 50)(async () => {})).rejects.toMatchObject({ code: 'EBUSY', retryable: true });
    isOver.open();
    await held;
  });

  it.each([
    ['a process that has ended', async () => [await ownerWith({ pid: ended() })]],
    ['a process whose number another one has now', async () => [await ownerWith({ start: '1' })]],
    [
      'two that ended one after the other',
      async () => [await ownerWith({ pid: ended() }), await ownerWith({ pid: ended() })],
    ],
    ['a machine that nobody can ask, and that does nothing', async () => [await ownerWith({ host: 'elsewhere' })]],
    ['one that did not come to write its name', async () => ['?']],
  ])('is taken over from %s', async (_, owners) => {
    for (const [index, owner] of (await owners()).entries()) await fs.symlink(owner, join(directory, `${index + 1}`));
    const locks = Array.from({ length: 4 }, () => createLock(disk, 2_000));
    let inside = 0;
    const held = locks.map((lock) =>
      lock(async () => {
        inside++;
        await pause(2);
        return inside--;
      }),
    );
    expect(await Promise.all(held)).toEqual([1, 1, 1, 1]);
    expect(await fs.readdir(directory)).toEqual([]);
  });

  it('is not taken over when somebody else was faster', async () => {
    const [first, second] = [join(directory, '1'), join(directory, '2')];
    const [slower, faster] = [await ownerWith({ pid: ended() }), await ownerWith({})];
    await fs.symlink(slower, first);
    const symlink: typeof fs.symlink = async (text, path) => {
      if (path === second) {
        await fs.unlink(first);
        await fs.symlink(faster, first);
      }
      await fs.symlink(text, path);
    };
    const lock = createLock({ ...disk, fs: { ...fs, symlink } }, 100);
    await expect(lock(async () => {})).rejects.toMatchObject({ code: 'EBUSY' });
    expect(await fs.readdir(directory)).toEqual(['1']);
  });

  it('works if there are no symbolic links', async () => {
    const symlink = async (): Promise<never> => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    };
    const linkless = { ...fs, symlink };
    const [one, two] = [0, 1].map(() => createFiles(filesystemStorage(root, { fs: linkless }))) as [
      ProjectFiles,
      ProjectFiles,
    ];
    await Promise.all([one, two, one, two, one, two].map((files) => files.append('/a', 'x')));
    expect((await one.readText('/a')).text).toBe('xxxxxx');
  });

  it('[S0-26] lets the appends of three processes all land', async () => {
    const program = `
      import { createFiles } from '@utensil/core';
      import { filesystemStorage } from ${JSON.stringify(join(import.meta.dirname, 'filesystem.ts'))};
      const files = createFiles(filesystemStorage(${JSON.stringify(root)}));
      for (let index = 0; index < 20; index++) await files.append('/all.txt', process.argv[1] + index + '\\n');`;
    const options = { cwd: import.meta.dirname, stdio: 'inherit' } as const;
    const args = ['--conditions=@utensil/source', '--input-type=module', '--eval', program];
    const children = ['a', 'b', 'c'].map((name) => spawn(process.execPath, [...args, name], options));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    const { text } = await createFiles(filesystemStorage(root)).readText('/all.txt');
    expect([codes, new Set(text.trim().split('\n')).size]).toEqual([[0, 0, 0], 60]);
  });
});
