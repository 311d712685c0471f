import { createFiles, type JsonObject } from '@utensil/core';
import { filesystemStorage } from '@utensil/storage-filesystem';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { difference, previewOf } from './preview.ts';
import { temporaryFolder } from './spawn-demo.ts';

it.each<[JsonObject, readonly string[]]>([
  [{ command: 'create', path: '/new.md', file_text: 'a\nb\n' }, ['+a', '+b']],
  [{ command: 'create', path: '/old.md', file_text: 'one\nZWEI\nthree\n' }, ['-two', '+ZWEI']],
  [{ command: 'create', path: '/old.md/..//', file_text: 'x' }, ['+x']],
  [{ command: 'append', path: '/old.md', file_text: 'four' }, ['+four']],
  [{ command: 'str_replace', path: '/old.md', old_str: 'two', new_str: '2' }, ['-two', '+2']],
  [{ command: 'str_replace', path: '/old.md', old_str: 'two' }, ['-two']],
  [{ command: 'insert', path: '/old.md', insert_line: 1, insert_text: 'x\n' }, ['+x']],
  [{ command: 'delete', path: '/old.md' }, []],
])('of %j', async (input, lines) => {
  await using folder = await temporaryFolder();
  const files = createFiles(filesystemStorage(folder.path));
  await files.write('/old.md', 'one\ntwo\nthree\n');
  expect((await previewOf(input, files)).map(({ sign, text }) => sign + text)).toEqual(lines);
});

it('has every line that differs', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c')).map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = difference(before, after);
      const count = (of: string): number => of.split('\n').length;
      const added = lines.filter(({ sign }) => sign === '+').length;
      expect(count(after) - count(before)).toBe(added - (lines.length - added));
      expect(lines.length === 0).toBe(before === after);
    }),
  );
});
