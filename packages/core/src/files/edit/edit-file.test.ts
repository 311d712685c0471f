import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUtensilError } from '../../base/errors.ts';
import { fileError } from '../file-error.ts';
import type { WriteOptions } from '../files.ts';
import { editBytes, editFile } from './edit-file.ts';
import type { EditableFiles, EditedBytes } from './edit-file.ts';
import type { Replacement } from './replacement.ts';

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

  it('refuses if others took the text away', async () => {
    const { files, text } = sharedFile('a\n', ['b\n']);
    await expect(editFile(files, '/f', { replacements })).rejects.toMatchObject({ code: 'string_not_found' });
    expect(text()).toBe('b\n');
  });

  it('edits only the version that was read, if asked to', async () => {
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

function attempt(raw: string, replacement: Replacement): EditedBytes | string {
  try {
    return editBytes(new TextEncoder().encode(raw), [replacement], '/f');
  } catch (error) {
    if (isUtensilError(error)) return error.code;
    throw error;
  }
}

describe('editBytes', () => {
  const piece = fc.constantFrom('a', 'b', 'ab', ' ', '\n', '\r\n', '\r', '😀', '😁', '\ufeff', '“', 'e\u0301');
  const pieces = (maxLength: number): fc.Arbitrary<string> =>
    fc.array(piece, { maxLength }).map((parts) => parts.join(''));

  it('never denies a text that is in a file character for character', () => {
    const codes = new Set<string>();
    const part = fc.record({ from: fc.nat(), length: fc.integer({ min: 1, max: 6 }), newText: pieces(3) });
    const property = fc.property(
      fc.constantFrom('', '\ufeff'),
      pieces(12),
      part,
      (mark, text, { from, length, newText }) => {
        const raw = mark + text;
        const start = raw === '' ? 0 : from % raw.length;
        const oldText = raw.slice(start, start + length);
        fc.pre(oldText !== '' && raw.indexOf(oldText, raw.indexOf(oldText) + 1) === -1);
        const edited = attempt(raw, { oldText, newText });
        if (typeof edited === 'string') {
          codes.add(edited);
          return;
        }
        const after = new TextDecoder('utf-8', { ignoreBOM: true }).decode(edited.bytes);
        const isPlain = !/[\n\r\ufeff]/.test(oldText + newText);
        const replaced = raw.slice(0, start) + newText + raw.slice(start + oldText.length);
        expect([after.startsWith(mark), isPlain ? after : replaced]).toEqual([true, replaced]);
      },
    );
    fc.assert(property, { numRuns: 5000, seed: 7 });
    expect([...codes].sort()).toEqual(['EINVAL', 'string_not_unique']);
  });
});
