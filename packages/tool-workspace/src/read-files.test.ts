import { createRegistry, emptySettings, resolveToolset, run, runTool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { expect, it } from 'vitest';
import { editFileTool, readFilesTool } from './index.ts';
import { workspaceOf } from './test-kit/workspace.ts';

const ten = Array.from({ length: 10 }, (_, index) => `line ${index + 1}\n`).join('');

it('[S2-26] [S1-12] reads ranges of lines, with numbers on request', async () => {
  const { ask } = await workspaceOf({ 'a.txt': ten });
  const shown = async (path: string) => {
    const { text } = await ask(readFilesTool, { paths: [path], prefix_line_numbers: true });
    return text.replace(/^[^]*?\]\n/, '').replace(/\n<<<<< END FILE$/, '');
  };
  expect(await shown('a.txt:3-4')).toBe('  3 | line 3\n  4 | line 4');
  expect(await shown('a.txt:9-')).toBe('   9 | line 9\n  10 | line 10');
  expect(await shown('a.txt:-2')).toBe('  1 | line 1\n  2 | line 2');
  expect(await shown('a.txt:5')).toBe('  5 | line 5');
  expect(await shown('a.txt:9-99')).toBe('   9 | line 9\n  10 | line 10');
  const { text, isError } = await ask(readFilesTool, { paths: ['a.txt:11-12'] });
  expect(text).toContain('There are no lines 11-12: it has 10 line(s).');
  expect(isError).toBe(true);

  const ends = await workspaceOf({ 'a:10-20': 'a file\n', a: 'one\r\n\r\nthree', b: '\n' });
  const bodies = async (...paths: readonly string[]) => {
    const { text: all } = await ends.ask(readFilesTool, { paths });
    return all.split(/>>>>> FILE: (.*) \[version \S+\]\n/).slice(1);
  };
  expect(await bodies('a:2-', 'a:10-20', 'b')).toEqual([
    'a (lines 2-3 of 3)',
    '\nthree\n<<<<< END FILE',
    'a:10-20',
    'a file\n<<<<< END FILE',
    'b',
    '\n<<<<< END FILE',
  ]);

  const large = await workspaceOf({ 'a.txt': ten.repeat(3000), 'a.min.js': 'x'.repeat(300_000) });
  const refused = await large.ask(readFilesTool, { paths: ['a.txt', 'a.min.js'] });
  expect(refused.text).toContain('File is too large to read in full (209 KB, 30000 lines). Options: read a range');
  expect(refused.text).toContain('Its lines are very long, so it is perhaps minified');
  expect((await large.ask(readFilesTool, { paths: ['a.txt:30000-'] })).text).toContain('line 10\n<<<<<');
  expect((await large.ask(readFilesTool, { paths: ['a.txt'], ignore_size_limit: true })).isError).toBe(false);
});

it('[S2-14] [D2-03] shows failures first, and the files in the order in which they were asked for', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `${(index * 7) % 30}.txt`);
  const { host, ask } = await workspaceOf(Object.fromEntries(names.map((name) => [name, `of ${name}`])));
  const paths = ['none.txt', ...names, '../out'];
  const { modelParts, output, isError } = await runTool(readFilesTool, { paths }, { host });
  const [first, ...files] = modelParts.map((part) => (part.type === 'text' ? part.text : ''));
  expect(first?.split('\n').map((line) => line.replace(/: E.*/, ''))).toEqual([
    "Failed to load 'none.txt' in project 'app'",
    "Failed to load '../out' in project 'app'",
    'Successfully loaded the following file(s):',
  ]);
  expect(files.map((text) => text.replace(/ \[version .*\]/, ''))).toEqual(
    names.map((name) => `>>>>> FILE: ${name}\nof ${name}\n<<<<< END FILE`),
  );
  expect(output).toMatchObject({ status: 'Loaded 30 file(s), failed to load 2 file(s)' });
  expect(isError).toBe(true);
  expect((await ask(readFilesTool, { paths: ['0.txt'] })).isError).toBe(false);
  expect((await ask(readFilesTool, { paths })).text).toBe((await ask(readFilesTool, { paths })).text);
});

it('says what is not text, and keeps line breaks and marks to itself', async () => {
  const { ask } = await workspaceOf({
    'a.bin': new Uint8Array([0, 1, 2]),
    'crlf.txt': '\ufeffone\r\ntwo\r\n',
    'a:1.txt': 'named so',
    'notes:12': 'a name with a number',
    'empty.txt': '',
  });
  expect((await ask(readFilesTool, { paths: ['a.bin'] })).text).toContain('application/octet-stream, 3 bytes');
  expect((await ask(readFilesTool, { paths: ['crlf.txt'] })).text).toMatch(/\]\none\ntwo\n<<<<< END FILE$/);
  expect((await ask(readFilesTool, { paths: ['notes:12'] })).text).toContain('a name with a number');
  expect((await ask(readFilesTool, { paths: ['empty.txt'] })).text).toContain('(empty)');
  expect((await ask(readFilesTool, { paths: ['.'] })).text).toContain('EISDIR');
});

it('[A2-03] shows the model repeated reads once, and edits between them', async () => {
  const { host } = await workspaceOf({ 'a.txt': ten });
  const read = { calls: [{ name: 'read_files', input: { paths: ['a.txt'] } }] };
  const part = { calls: [{ name: 'read_files', input: { paths: ['a.txt:2-3'] } }] };
  const edit = { calls: [{ name: 'edit_file', input: { path: 'a.txt', old_text: 'line 5\n', new_text: 'five\n' } }] };
  const model = scriptedModel([read, read, part, part, edit, read, read, {}]);
  const toolset = resolveToolset(createRegistry([readFilesTool, editFileTool]), emptySettings, host);
  const prefixes: string[] = [];
  const { result } = run({ model, toolset, messages: 'Read.' });
  await result;
  for (const { messages } of model.requests) {
    const text = JSON.stringify(messages);
    for (const prefix of prefixes) expect(text.startsWith(prefix)).toBe(true);
    prefixes.push(text.slice(0, -1));
  }
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  expect(last.split('line 9\\nline 10').length - 1).toBe(2); // once before the edit, once after it
  expect(last.split('line 2\\nline 3\\n<<<<<').length - 1).toBe(1); // a range is a resource of its own
  expect(last.split('unchanged: its content is in the result of an earlier call').length - 1).toBe(3);
});
