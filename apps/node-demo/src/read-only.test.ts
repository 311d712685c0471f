// A folder in which nothing can be written, as another user's or on a disk that is mounted to be read.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

/** Permissions say nothing to root, unless its capabilities are taken away. */
const withoutCapabilities = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];
const isRoot = process.getuid?.() === 0;
const through = isRoot ? withoutCapabilities : [];
const canTry = !isRoot || spawnSync('setpriv', ['--version']).status === 0;
const why = canTry ? '' : ' (not tried: root can write everywhere, and there is no `setpriv` to take its capabilities)';

const sentence = 'This folder is read-only: files can be read but not changed, and this conversation is not saved.';

/** A folder with a file, of which the folder or only `.utensil` in it is write-protected. */
async function readOnlyFolder(protectedPart: '' | '.utensil') {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, 'a.md'), 'one\n');
  if (protectedPart !== '') await mkdir(join(folder.path, protectedPart));
  await chmod(join(folder.path, protectedPart), 0o555);
  return {
    path: folder.path,
    async [Symbol.asyncDispose]() {
      await chmod(join(folder.path, protectedPart), 0o755);
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(why)(`a read-only folder${why}`, () => {
  it.each(['', '.utensil'] as const)('is read, says so, and stores nothing: "%s"', async (protectedPart) => {
    await using folder = await readOnlyFolder(protectedPart);
    const before = await readdir(folder.path, { recursive: true });
    const { code, output, errors } = await demo(['--folder', folder.path, 'list then read a.md'], { through });
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('```output\none\n```\n') as string });
    expect(errors.replaceAll('\n', ' ')).toContain(sentence);
    expect(await readdir(folder.path, { recursive: true })).toEqual(before);
  });

  it('is not changed: the call fails and says why', async () => {
    await using folder = await readOnlyFolder('');
    const { code, errors } = await demo(['--folder', folder.path, '--yes', 'write b.md: x'], { through });
    expect(code).toBe(0); // it is answered: the model was told why
    expect(errors).toMatch(/✗ .*read-only/);
    expect(await readdir(folder.path)).toEqual(['a.md']);
  });

  it('has a conversation as long as the program runs', async () => {
    await using folder = await readOnlyFolder('');
    const input = 'read a.md\n/threads\n/disable memory\n/model offline\n/undo\n';
    const { code, output, errors } = await demo(['--folder', folder.path], { through, input });
    expect({ code, errors }).toEqual({ code: 0, errors: expect.not.stringContaining('Error') as string });
    expect(output).toMatch(/\* +1 .*read a\.md\n/);
    expect(output).toContain('memory is off.\n');
    expect(output).toContain('Nothing to undo.');
  });
});
