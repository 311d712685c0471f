import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createFiles, runTool } from '@utensil/core';
import type { JsonObject, Tool } from '@utensil/core';
import { directoryReader, filesystemStorage } from '@utensil/storage-filesystem';
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
