import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import { mountFiles, subtree } from '@utensil/core/files';
import type { ProjectFiles } from '@utensil/core';
import type { EntryKey } from '@utensil/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesystemStorage } from './filesystem.ts';

let root: string;
let files: ProjectFiles;

beforeEach(async () => {
  root = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  files = createFiles(filesystemStorage(root));
});
afterEach(() => fs.rm(root, { recursive: true }));

async function put(name: string, mode: number, content = name): Promise<void> {
  await fs.writeFile(join(root, name), content);
  await fs.chmod(join(root, name), mode);
}

const modeOf = async (name: string): Promise<string> => ((await fs.stat(join(root, name))).mode & 0o7777).toString(8);

/** Mode of a newly created file. */
async function plainMode(): Promise<string> {
  await files.write('/plain', '');
  return modeOf('plain');
}

describe('a copy has the permissions of the file', () => {
  it.each(['755', '777', '700', '644', '600', '640', '664'])('%s', async (mode) => {
    await put('run.sh', Number.parseInt(mode, 8));
    await files.copy('/run.sh', '/d/copy.sh');
    expect(await modeOf('d/copy.sh')).toBe(mode);
  });

  it('but no bit by which it would run as another user, or that is for directories', async () => {
    await put('run.sh', 0o7755);
    await files.copy('/run.sh', '/copy.sh');
    expect(await modeOf('copy.sh')).toBe('755');
  });

  it('with durability power too, and by way of views', async () => {
    await put('run.sh', 0o755);
    const durable = createFiles(filesystemStorage(root, { durability: 'power' }), { quota: { files: 10 } });
    await durable.copy('/run.sh', '/durable.sh');
    const view = mountFiles(durable, { '/mounted': subtree(files, '/below') });
    await view.copy('/run.sh', '/view.sh');
    await view.copy('/run.sh', '/mounted/run.sh');
    expect([await modeOf('durable.sh'), await modeOf('view.sh')]).toEqual(['755', '755']);
    expect(await modeOf('below/run.sh')).toBe(await plainMode()); // across mounts, only bytes are copied
  });

  it('in a batch, wherever the file is by then', async () => {
    await put('run.sh', 0o755);
    await put('old.sh', 0o700);
    await files.batch(async (staged) => {
      await staged.move('/run.sh', '/moved.sh');
      await staged.copy('/moved.sh', '/copy.sh');
      await staged.copy('/old.sh', '/edited.sh');
      await staged.remove('/old.sh');
      await staged.append('/edited.sh', '\n');
      await staged.copy('/edited.sh', '/again.sh');
    });
    expect(await Promise.all(['copy.sh', 'edited.sh', 'again.sh'].map(modeOf))).toEqual(['755', '700', '700']);
  });
});

describe('a file that is there keeps its own permissions', () => {
  it('if it is edited, moved, or another one is copied over it', async () => {
    await put('run.sh', 0o755);
    await put('secret', 0o600);
    await files.edit('/run.sh', { oldText: 'run', newText: 'go' });
    await files.move('/run.sh', '/d/run.sh');
    await files.copy('/d/run.sh', '/secret', { overwrite: true });
    expect([await modeOf('d/run.sh'), await modeOf('secret')]).toEqual(['755', '600']);
  });

  it('if both happens in one batch', async () => {
    await put('run.sh', 0o755);
    await files.batch(async (staged) => {
      await staged.write('/new', 'new');
      await staged.copy('/run.sh', '/new', { overwrite: true });
    });
    expect(await modeOf('new')).toBe(await plainMode());
  });
});

describe('nothing is revealed about files outside the storage', () => {
  const write = (key: EntryKey, like: EntryKey) =>
    filesystemStorage(root).commit({
      expect: [],
      changes: [{ ...key, type: 'write', content: new Uint8Array(), like }],
      time: 0,
    });
  const file = (path: string): EntryKey => ({ tree: 'files', path });

  it.each(['/link', '/linked/run.sh', '/missing', '/directory', '/.utensil/state', '/../run.sh', '/a\0b'])(
    'a file like %j is as any other',
    async (like) => {
      await fs.mkdir(join(root, 'directory/run.sh'), { recursive: true });
      await put('run.sh', 0o755);
      await fs.symlink('run.sh', join(root, 'link'));
      await fs.symlink('.', join(root, 'linked'));
      expect(await write(file('/new'), file(like))).toMatchObject({ ok: true });
      expect(await modeOf('new')).toBe(await plainMode());
    },
  );

  it('and records are for the user alone, whatever they are like', async () => {
    await put('run.sh', 0o755);
    expect(await write({ tree: 'records', path: '/a.json' }, file('/run.sh'))).toMatchObject({ ok: true });
    expect(await modeOf('.utensil/records/a.json')).toBe('600');
  });
});
