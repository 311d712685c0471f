import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFiles, runTool } from '@utensil/core';
import type { JsonObject, Tool } from '@utensil/core';
import { directoryReader, filesystemStorage } from '@utensil/storage-filesystem';
import * as fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { editFileTool, globFilesTool, listFilesTool, projectsOf, readFilesTool, searchFilesTool } from './index.ts';

const base = mkdtempSync(join(tmpdir(), 'utensil-workspace-'));
const root = join(base, 'project');

afterAll(() => rmSync(base, { recursive: true }));

const contents: Readonly<Record<string, string | Uint8Array>> = {
  'project/.gitignore': '*.log\n',
  'project/src/.gitignore': '!kept.log\n',
  'project/src/kept.log': 'needle\r\n',
  'project/src/other.log': 'needle\n',
  'project/src/a.ts': 'one\nneedle\n',
  'project/src.d/b.ts': 'needle\n',
  'project/node_modules/m/m.js': 'needle\n',
  'project/bin': Uint8Array.from([110, 101, 101, 100, 108, 101, 0]),
  'outside/secret.txt': 'needle\n',
};

for (const [path, content] of Object.entries(contents)) {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), content);
}
symlinkSync(join(base, 'outside'), join(root, 'link'));
for (let index = 0; index < 700; index++) {
  mkdirSync(join(root, `many/${index % 7}`), { recursive: true });
  writeFileSync(join(root, `many/${index % 7}/${index}.txt`), `line ${index}\n`.repeat(index));
}

const files = createFiles(filesystemStorage(root));
const plain = { projects: projectsOf({ app: { files } }) };
const short = { projects: projectsOf({ app: { files, reader: directoryReader(root) } }) };

it.each<[Tool, JsonObject]>([
  [searchFilesTool, { pattern: 'needle' }],
  [searchFilesTool, { pattern: '^line 6\\d\\d$', output: 'count' }],
  [searchFilesTool, { pattern: 'needle', include_ignored: true, output: 'files' }],
  [searchFilesTool, { pattern: 'needle', paths: ['link', 'src'] }],
  [globFilesTool, { pattern: '**/*.{ts,log}' }],
  [globFilesTool, { pattern: '*' }],
  [listFilesTool, {}],
])('%o answers %j alike by the reader of a directory and by the files layer', async (tool, input) => {
  const answer = await runTool(tool, input, { host: short });
  expect(answer.output).toEqual((await runTool(tool, input, { host: plain })).output);
  expect(JSON.stringify(answer.output)).not.toContain('secret');
});

it('finds what is there, in a real folder, and edits it', async () => {
  const found = await runTool(searchFilesTool, { pattern: 'needle', output: 'files' }, { host: short });
  expect(String(found.output).split('\n').slice(0, -1)).toEqual(['src/a.ts', 'src/kept.log', 'src.d/b.ts']);
  const edit = { path: 'src/kept.log', old_text: 'needle\n', new_text: 'thread\n' };
  expect((await runTool(editFileTool, edit, { host: short })).isError).toBe(false);
  const { bytes } = await files.read('/src/kept.log');
  expect(new TextDecoder().decode(bytes)).toBe('thread\r\n');
  const again = await runTool(searchFilesTool, { pattern: 'thread', output: 'files' }, { host: short });
  expect(String(again.output)).toContain('src/kept.log');
});

it('reads nothing behind a link, and names no path of the host', async () => {
  for (const path of ['link/secret.txt', `${base}/outside/secret.txt`, '../outside/secret.txt']) {
    const { output, isError } = await runTool(readFilesTool, { paths: [path] }, { host: short });
    expect(isError).toBe(true);
    expect(JSON.stringify(output)).not.toContain('needle');
  }
  const { output } = await runTool(readFilesTool, { paths: ['none.txt'] }, { host: short });
  expect(JSON.stringify(output)).not.toContain(base);
});

const oddName = fc.constantFrom(
  'a',
  'b.txt',
  'A',
  '.gitignore',
  '.utensil',
  '.Utensil.',
  'caf\u0065\u0301',
  'café',
  'bad\udcff',
  'a\nb',
  'a\\b',
  'a:1-2',
  '-rf',
  '[x]',
  'node_modules',
  ' ',
);
const content = fc.constantFrom<string | Uint8Array>(
  'needle\n',
  '*.txt\n!a\n',
  'a needle\r\n',
  '',
  Uint8Array.from([0xff, 0xfe, 0x6e, 0, 0x65, 0, 0x65, 0, 0x64, 0, 0x6c, 0, 0x65, 0]),
  Uint8Array.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0]),
  Uint8Array.from([0xe9, 0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65]),
);
const node = fc.record({
  names: fc.array(oddName, { minLength: 1, maxLength: 4 }),
  make: fc.oneof(
    content,
    fc.constantFrom({ link: '../outside' }, { link: '.' }, { link: 'a' }, { link: '/etc/hosts' }),
  ),
});

/** A file name on the disk; a lone surrogate stands for bytes that are not UTF-8. */
function onDisk(path: string): Buffer {
  return Buffer.concat(
    path.split('\udcff').flatMap((each, index) => [...(index > 0 ? [Buffer.of(0xff)] : []), Buffer.from(each)]),
  );
}

it('answers alike by both ways in any tree, with odd names and links in it', async () => {
  let round = 0;
  const property = fc.asyncProperty(fc.array(node, { maxLength: 25 }), async (nodes) => {
    const top = join(base, `tree-${round++}`);
    mkdirSync(top);
    for (const { names, make } of nodes) {
      const [path, above] = [onDisk(`${top}/${names.join('/')}`), onDisk(`${top}/${names.slice(0, -1).join('/')}`)];
      try {
        mkdirSync(above, { recursive: true });
        if (existsSync(path)) continue;
        if (typeof make === 'object' && 'link' in make) symlinkSync(make.link, path);
        else writeFileSync(path, make, { flag: 'wx' });
      } catch (error) {
        // a file or a link is in the way
        if (!/^(?:EEXIST|ENOTDIR|ELOOP|ENOENT|EACCES|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? ''))
          throw error;
      }
    }
    const storage = createFiles(filesystemStorage(top));
    const ways = [{ files: storage }, { files: storage, reader: directoryReader(top) }];
    const calls: readonly [Tool, JsonObject][] = [
      [searchFilesTool, { pattern: 'needle' }],
      [searchFilesTool, { pattern: 'needle', include_ignored: true, output: 'count' }],
      [globFilesTool, { pattern: '*' }],
      [listFilesTool, { include_ignored: true }],
    ];
    for (const [tool, input] of calls) {
      const [plainly, shortly] = await Promise.all(
        ways.map((tree) => runTool(tool, input, { host: { projects: projectsOf({ tree }) } })),
      );
      expect(shortly?.output).toEqual(plainly?.output);
      expect(plainly?.isError).toBe(false);
    }
    const { output } = await runTool(
      globFilesTool,
      { pattern: '*' },
      { host: { projects: projectsOf({ tree: { files: storage, reader: directoryReader(top) } }) } },
    );
    const paths = String(output).startsWith('No files') ? [] : String(output).split('\n');
    for (const path of paths) expect((await storage.stat(`/${path}`))?.kind).toBe('file');
    rmSync(top, { recursive: true });
  });
  await fc.assert(property, { numRuns: 40 });
});

it('passes over what lies deeper than a path may be, by both ways', async () => {
  const top = join(base, 'deep');
  mkdirSync(join(top, 'd/'.repeat(40)), { recursive: true });
  for (const levels of [31, 32, 40]) writeFileSync(join(top, 'd/'.repeat(levels), 'f.txt'), 'needle\n');
  const storage = createFiles(filesystemStorage(top));
  for (const tree of [{ files: storage }, { files: storage, reader: directoryReader(top) }]) {
    const host = { projects: projectsOf({ tree }) };
    const { output } = await runTool(searchFilesTool, { pattern: 'needle', output: 'files' }, { host });
    expect(output).toBe(`${'d/'.repeat(31)}f.txt\n1 file(s)`);
    expect((await runTool(globFilesTool, { pattern: '*' }, { host })).output).toBe(`${'d/'.repeat(31)}f.txt`);
  }
});
