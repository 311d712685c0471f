import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { Seals } from '@utensil/core';
import { openSeals } from './seal-key.ts';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

/** The seals of a folder by the key at a path. Throws if there are none. */
async function sealsOf(folder: string, UTENSIL_KEY_FILE: string): Promise<Seals> {
  const opened = await openSeals(folder, { UTENSIL_KEY_FILE });
  if ('problem' in opened) throw new Error(opened.problem);
  return opened.seals;
}

it('makes a key that nobody else can read when the first seal is made, once for all processes', async () => {
  await using home = await temporaryFolder();
  await using folder = await temporaryFolder();
  const key = join(home.path, 'config/utensil/key');
  const both = await Promise.all([sealsOf(folder.path, key), sealsOf(folder.path, key)]);
  expect(await readdir(home.path)).toEqual([]);
  const [one, other] = await Promise.all(both.map((seals) => seals.make({ a: 1 })));
  expect(one).toBe(other);
  expect((await stat(key)).mode & 0o777).toBe(0o600);
  expect((await stat(dirname(key))).mode & 0o777).toBe(0o700);
  expect(await readdir(dirname(key))).toEqual(['key']);
});

it('seals for one folder: what is copied into another one counts for nothing there', async () => {
  await using home = await temporaryFolder();
  const [here, there] = [join(home.path, 'here'), join(home.path, 'there')];
  await Promise.all([mkdir(here), mkdir(there)]);
  const key = join(home.path, 'key');
  const seal = await (await sealsOf(here, key)).make({ a: 1 });
  expect(await (await sealsOf(here, key)).fits({ a: 1 }, seal)).toBe(true);
  expect(await (await sealsOf(there, key)).fits({ a: 1 }, seal)).toBe(false);
});

it.each(['in the folder', 'in the folder by way of a link'])(
  'takes no key that is %s, where commands could read it',
  async (way) => {
    await using folder = await temporaryFolder();
    await using home = await temporaryFolder();
    await mkdir(join(folder.path, 'config'));
    if (way !== 'in the folder') await symlink(join(folder.path, 'config'), join(home.path, 'config'));
    const place = way === 'in the folder' ? folder.path : home.path;
    const opened = await openSeals(folder.path, { XDG_CONFIG_HOME: join(place, 'config') });
    expect(opened).toEqual({ problem: expect.stringContaining('is inside the folder') });
  },
);

it('rejects a key that others may read, and a file that is not a key', async () => {
  await using folder = await temporaryFolder();
  await using home = await temporaryFolder();
  const key = join(home.path, 'key');
  await writeFile(key, Buffer.alloc(32), { mode: 0o644 });
  await chmod(key, 0o644);
  await expect(sealsOf(folder.path, key)).rejects.toThrow('others may read the key');
  await writeFile(key, 'short');
  await expect(sealsOf(folder.path, key)).rejects.toThrow('is not a key');
});

/** Output of the program when a write is asked for, with the key at that path. */
async function writing(
  folder: string,
  key: string,
  lines: readonly string[] = ['write a.md: x', 'n'],
): Promise<string> {
  const env = { UTENSIL_KEY_FILE: key };
  return (await demo(['--folder', folder], { input: `${lines.join('\n')}\n`, env })).all;
}

it('keeps grants after a restart, but not with another key, in a copy of the folder, or if another program stored them', async () => {
  await using home = await temporaryFolder();
  const [folder, copy] = [join(home.path, 'folder'), join(home.path, 'copy')];
  await mkdir(folder);
  const key = join(home.path, 'key');
  await writing(folder, key, ['write a.md: x', 'a']);
  expect(await writing(folder, key)).not.toContain('Allow this action?');

  await cp(folder, copy, { recursive: true });
  const copied = await writing(copy, key);
  expect(copied.replaceAll(/\s+/g, ' ')).toContain('An earlier permission does not count: its seal does not fit');
  expect(copied).toContain('Allow this action?');

  await rm(key);
  expect(await writing(folder, key)).toContain('Allow this action?');
  await writing(folder, key, ['write a.md: x', 'a']);
  expect(await writing(folder, key)).not.toContain('Allow this action?');

  const settings = join(folder, '.utensil/records/settings/default');
  const names = await readdir(dirname(settings));
  expect(names.length).toBeGreaterThan(0);
  const record = join(dirname(settings), String(names.find((name) => name.startsWith('default'))));
  const forged = (await readFile(record, 'utf8')).replaceAll(/"seal":"./g, '"seal":"z');
  expect(forged).toContain('"seal":"z');
  await writeFile(record, forged);
  expect(await writing(folder, key)).toContain('Allow this action?');
});
