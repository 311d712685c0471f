import { describe, expect, it } from 'vitest';
import { fileError } from '../file-error.ts';
import type { WriteOptions } from '../files.ts';
import { editFile } from './edit-file.ts';
import type { EditableFiles } from './edit-file.ts';

interface Shared {
  readonly files: EditableFiles;
  text(): string;
}

/** One file that others write to before each of our first writes. */
function sharedFile(initial: string, others: readonly string[] = []): Shared {
  let text = initial;
  const waiting = [...others];
  const stat = () => ({ path: '/f', kind: 'file', size: text.length, modifiedAt: 0, etag: text }) as const;
  const files: EditableFiles = {
    read: async () => ({ ...stat(), bytes: new TextEncoder().encode(text) }),
    async write(path, data, { ifMatch, create }: WriteOptions = {}) {
      text = waiting.shift() ?? text;
      expect(create).toBe('never');
      if (ifMatch !== text) throw fileError('ECONFLICT', path);
      text = typeof data === 'string' ? data : new TextDecoder().decode(data);
      return stat();
    },
  };
  return { files, text: () => text };
}

const replacements = [{ oldText: 'a', newText: 'x' }];

describe('editFile', () => {
  it('writes what it edited, and says what that was', async () => {
    const { files, text } = sharedFile('a\n');
    expect(await editFile(files, '/f', { replacements })).toMatchObject({
      path: '/f',
      etag: 'x\n',
      before: 'a\n',
      text: 'x\n',
      places: [{ start: 0, oldText: 'a', newText: 'x' }],
    });
    expect(text()).toBe('x\n');
  });

  it('edits what others wrote meanwhile', async () => {
    const { files, text } = sharedFile('a\n', ['a b\n', 'b a\n']);
    await editFile(files, '/f', { replacements });
    expect(text()).toBe('b x\n');
  });

  it('refuses where others took the text away', async () => {
    const { files, text } = sharedFile('a\n', ['b\n']);
    await expect(editFile(files, '/f', { replacements })).rejects.toMatchObject({ code: 'string_not_found' });
    expect(text()).toBe('b\n');
  });

  it('edits nothing but what was looked at, where that is asked for', async () => {
    const { files, text } = sharedFile('a\n', ['a b\n']);
    await expect(editFile(files, '/f', { replacements, ifMatch: 'a\n' })).rejects.toMatchObject({ code: 'ECONFLICT' });
    expect(text()).toBe('a b\n');
    const gone = editFile(files, '/f', { replacements: [{ oldText: 'z', newText: 'y' }], ifMatch: 'a\n' });
    await expect(gone).rejects.toMatchObject({ code: 'ECONFLICT' });
    await editFile(files, '/f', { replacements, ifMatch: 'a b\n' });
    expect(text()).toBe('x b\n');
  });

  it('gives up where others never stop', async () => {
    const { files } = sharedFile(
      'a\n',
      Array.from({ length: 200 }, (_, count) => `a ${count}\n`),
    );
    await expect(editFile(files, '/f', { replacements })).rejects.toMatchObject({ code: 'ECONFLICT' });
  });
});
