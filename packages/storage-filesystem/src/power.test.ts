// Power loss with full durability: a third of the schedules of `pnpm test:long`.

import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { describe, expect, inject, it } from 'vitest';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';
import { at, contentOf, errorOf, forgetfulDisk, plan, randomFrom, sorted, write } from './test-kit/power.ts';
import type { Model } from './test-kit/power.ts';

const schedules = inject('isLong') ? { alone: 250, atOnce: 150 } : { alone: 84, atOnce: 50 };

/** Commits on a disk with occasional power loss. Returns contents that should not exist. */
async function runSchedule(seed: number, durability: 'process' | 'power'): Promise<readonly string[]> {
  const [random, disk, wrong] = [randomFrom(seed), forgetfulDisk(seed % 4 > 0), [] as string[]];
  const open = (): StorageDriver => filesystemStorage('/r', { fs: disk.fs, durability });
  let model: Model = new Map();
  for (let cut = 0; cut < 4; cut++) {
    const driver = open();
    disk.failAfter(Math.floor(random() * 120));
    let next = model;
    for (let number = 0; ; number++) {
      const { changes, after } = plan(model, cut * 1000 + number, random);
      const result = await driver.commit({ expect: [], changes, time: 0 }).catch(() => undefined);
      next = after;
      if (result === undefined) break;
      if (!result.ok) wrong.push(`a conflict at ${result.conflict.path}`);
      model = after;
    }
    disk.restart(random);
    // Power may fail again during recovery.
    disk.failAfter(random() < 0.5 ? Math.floor(random() * 12) : Infinity);
    await contentOf(open()).catch(() => {});
    disk.restart(random);
    const found = sorted(await contentOf(open()));
    if (found === sorted(next)) model = next;
    else if (found !== sorted(model)) return [...wrong, `${found}, not ${sorted(model)} or ${sorted(next)}`];
  }
  return wrong;
}

/** Commits concurrently while one moves the directory of the others. Returns what was lost. */
async function runAtOnce(seed: number): Promise<readonly string[]> {
  const [random, disk, wrong] = [randomFrom(seed), forgetfulDisk(true), [] as string[]];
  const driver = filesystemStorage('/r', { fs: disk.fs, durability: 'power' });
  const make = (...changes: readonly StorageChange[]) =>
    driver.commit({ expect: [], changes, time: 0 }).catch(() => undefined);
  const start = Array.from({ length: 6 }, (_, index): StorageChange => ({
    ...at(`/d${index}`),
    type: 'make-directory',
  }));
  await make(...start);
  disk.failAfter(20 + Math.floor(random() * 80));
  const acknowledged: string[][] = [];
  for (const directory of start.map(({ path }) => path)) {
    const to = directory.replace('d', 'e');
    const write = (name: string, path: string): StorageChange => ({
      ...at(path),
      type: 'write',
      content: Buffer.from(name),
    });
    const all: [string, StorageChange[]][] = [
      ['x', [write('x', `${directory}/x`)]],
      ['moved', [{ ...at(directory), type: 'move', to: at(to) }]],
      ['y', [write('y', `${directory}/y`)]],
      ['z', [write('z', `${directory}/z`), write('z', `${directory}z`)]],
    ];
    const results = await Promise.all(
      all.map(async ([name, changes]) => {
        for (let turns = random() * 40; turns > 0; turns--) await Promise.resolve();
        return [name, await make(...changes)] as const;
      }),
    );
    acknowledged.push(results.flatMap(([name, result]) => (result?.ok === true ? [name] : [])));
  }
  disk.restart(random);
  const found = await contentOf(filesystemStorage('/r', { fs: disk.fs, durability: 'power' }));
  for (const [index, names] of acknowledged.entries()) {
    for (const name of names) {
      const here = name === 'moved' ? [`files:/e${index}`] : [`files:/d${index}/${name}`, `files:/e${index}/${name}`];
      const is = name === 'moved' ? 'directory' : name;
      if (!here.some((key) => found.get(key) === is)) wrong.push(`${name} of ${index}`);
    }
    const isTogether = found.has(`files:/d${index}z`);
    const hasZ = found.has(`files:/d${index}/z`) || found.has(`files:/e${index}/z`);
    if (isTogether !== hasZ) wrong.push(`half of z of ${index}`);
  }
  for (const [key, content] of found) if (/[xyz]$/.test(key) && !key.includes(content)) wrong.push(`${key} is torn`);
  return wrong;
}

describe('a loss of power', () => {
  it('leaves all of a commit or nothing, and everything that was acknowledged', async () => {
    for (let seed = 1; seed <= schedules.alone; seed++)
      expect(await runSchedule(seed, 'power'), `seed ${seed}`).toEqual([]);
  });

  it('leaves the same of commits that were made at once', async () => {
    for (let seed = 1; seed <= schedules.atOnce; seed++) expect(await runAtOnce(seed), `seed ${seed}`).toEqual([]);
  });

  it('is waited for once by commits that wait together', async () => {
    const disk = forgetfulDisk(true);
    const driver = filesystemStorage('/r', { fs: disk.fs, durability: 'power' });
    const create = (path: string) => driver.commit({ expect: [], changes: [write(at(path), 'text')], time: 0 });
    await create('/first');
    const before = disk.syncs();
    await Promise.all(Array.from({ length: 20 }, (_, index) => create(`/${index}`)));
    expect(disk.syncs() - before).toBeLessThan(30);
  });

  it('is not survived by what was written together if the disk could not keep the names of it', async () => {
    const disk = forgetfulDisk(true);
    const open: FileSystem['open'] = async (path, flags, mode) => {
      const file = await disk.fs.open(path, flags, mode);
      return path === '/r' && isBroken ? { ...file, sync: () => Promise.reject(errorOf('EIO')) } : file;
    };
    let isBroken = false;
    const driver = filesystemStorage('/r', { fs: { ...disk.fs, open }, durability: 'power' });
    const create = (path: string) => driver.commit({ expect: [], changes: [write(at(path), 'text')], time: 0 });
    await create('/first');
    isBroken = true;
    const failed = await Promise.allSettled([create('/a'), create('/b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await create('/c')).toMatchObject({ ok: true });
  });

  it('does harm if nobody waits for the disk: so the disk here would show it', async () => {
    const results: (readonly string[])[] = [];
    for (let seed = 1; seed <= 20; seed++) results.push(await runSchedule(seed, 'process').catch(() => ['lost']));
    expect(results.filter((wrong) => wrong.length > 0).length).toBeGreaterThan(10);
  });
});
