import { createFiles, createRegistry, emptySettings, permissions, resolveToolset, run, runTool } from '@utensil/core';
import type { Files, JsonObject, Preview, Tool } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { memoryStorage } from '@utensil/storage-memory';
import { versionedStorage } from '@utensil/storage-versioned';
import { describe, expect, it } from 'vitest';
import { deleteFilesTool, editFileTool, moveTool, projectsOf, readFilesTool, writeFileTool } from './index.ts';
import { workspaceOf } from './test-kit/workspace.ts';
import type { Workspace } from './test-kit/workspace.ts';

const utf16 = (text: string): Uint8Array =>
  Uint8Array.from([
    0xff,
    0xfe,
    ...text.split('').flatMap((each) => [each.charCodeAt(0) & 255, each.charCodeAt(0) >> 8]),
  ]);

const bytesAt = async ({ files }: Workspace, path: string) => (await files.read(path)).bytes;
const textAt = async (workspace: Workspace, path: string) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bytesAt(workspace, path));

describe('write_file', () => {
  it('[S2-29] [S1-13] writes and appends, makes directories, and counts bytes', async () => {
    const workspace = await workspaceOf({});
    const { ask } = workspace;
    const first = await ask(writeFileTool, { path: 'new/deep/é.txt', content: 'é\n' });
    expect(first.text).toMatch(/^Successfully wrote 3 bytes to file 'new\/deep\/é.txt' \(new file, version [\w-]+\)$/);
    const added = await ask(writeFileTool, { path: 'new/deep/é.txt', content: 'more', append: true });
    expect(added.text).toContain("Successfully wrote 4 bytes to file 'new/deep/é.txt' (7 bytes in all");
    expect(await textAt(workspace, '/new/deep/é.txt')).toBe('é\nmore');
    expect((await ask(writeFileTool, { path: 'new/deep/é.txt', content: 'x' })).text).toContain('in place of 7 bytes');
    expect((await ask(writeFileTool, { path: 'new/deep/é.txt', content: 'x' })).text).toContain('nothing was written');
    expect((await ask(writeFileTool, { path: '.', content: 'x' })).text).toContain('It is the root of the project');
    expect((await ask(writeFileTool, { path: 'new', content: 'x' })).text).toContain('EISDIR');
  });

  it('keeps encoding, byte order mark and line breaks of what it replaces', async () => {
    const workspace = await workspaceOf({
      'a.txt': '\ufeffone\r\ntwo\r\n',
      'b.txt': utf16('one\n'),
      'c.txt': 'a\r\nb\n',
    });
    await workspace.ask(writeFileTool, { path: 'a.txt', content: 'three\nfour\n' });
    expect(await textAt(workspace, '/a.txt')).toBe('\ufeffthree\r\nfour\r\n');
    await workspace.ask(writeFileTool, { path: 'a.txt', content: 'five\n', append: true });
    expect(await textAt(workspace, '/a.txt')).toBe('\ufeffthree\r\nfour\r\nfive\r\n');
    await workspace.ask(writeFileTool, { path: 'b.txt', content: 'zwei ✓\n' });
    expect(await bytesAt(workspace, '/b.txt')).toEqual(utf16('zwei ✓\n'));
    await workspace.ask(writeFileTool, { path: 'c.txt', content: 'x\ny\n' });
    expect(await textAt(workspace, '/c.txt')).toBe('x\ny\n');
    for (const append of [true, false]) {
      const half = await workspace.ask(writeFileTool, { path: 'd.txt', content: 'a\ud800', append });
      expect(half).toEqual({ isError: true, text: expect.stringContaining('half of a surrogate pair') });
    }
    expect(await workspace.files.stat('/d.txt')).toBeUndefined();
  });
});

describe('edit_file', () => {
  it('[S1-14] [S2-30] refuses what is missing, ambiguous or the same, and takes new text literally', async () => {
    const workspace = await workspaceOf({ 'a.txt': 'one\r\ntwo  \r\ntwo  \r\n' });
    const { ask } = workspace;
    const before = await bytesAt(workspace, '/a.txt');
    for (const [input, words] of [
      [{ old_text: 'three', new_text: 'x' }, 'string_not_found'],
      [{ old_text: 'two', new_text: 'x' }, 'occurs 2 times'],
      [{ old_text: 'one', new_text: 'one' }, 'the same'],
      [{ old_text: '', new_text: 'x' }, 'EINVAL'],
      [{}, 'Give old_text and new_text'],
      [{ old_text: 'one', new_text: 'x', diff: 'y' }, 'not both'],
      [{ diff: '<<<<<<< SEARCH\none' }, 'Malformed diff'],
    ] as const) {
      const { text, isError } = await ask(editFileTool, { path: 'a.txt', ...input });
      expect({ text, isError }).toEqual({ text: expect.stringContaining(words), isError: true });
      expect(await bytesAt(workspace, '/a.txt')).toEqual(before);
    }
    const { text } = await ask(editFileTool, { path: 'a.txt', old_text: 'one\ntwo\n', new_text: "$&$1\n$'\n" });
    expect(text).toMatch(
      /^Successfully edited file 'a.txt' \(1 place\(s\), version [\w-]+\)\nLines 1-\d are now:\n1 \| \$&\$1/,
    );
    expect(await textAt(workspace, '/a.txt')).toMatch(/^\$&\$1\r\n\$'\s*\r\ntwo {2}\r\n$/);
    await ask(editFileTool, { path: 'a.txt', old_text: '$', new_text: '€', replace_all: true });
    expect(await textAt(workspace, '/a.txt')).not.toContain('$');
  });

  it('[S2-31] [S4-21] takes SEARCH/REPLACE blocks, all of them or none, in small files too', async () => {
    const workspace = await workspaceOf({ 'a.txt': 'one\ntwo\nthree\n' });
    const block = (search: string, replace: string) =>
      `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
    const bad = await workspace.ask(editFileTool, { path: 'a.txt', diff: block('one', '1') + block('four', '4') });
    expect(bad.isError).toBe(true);
    expect(await textAt(workspace, '/a.txt')).toBe('one\ntwo\nthree\n');
    const good = await workspace.ask(editFileTool, { path: 'a.txt', diff: block('one', '1') + block('three', '3\n3') });
    expect(good.text.split('\n').slice(1)).toEqual([
      'Lines 1-1 are now:',
      '1 | 1',
      'Lines 3-4 are now:',
      '3 | 3',
      '4 | 3',
    ]);
    expect(await textAt(workspace, '/a.txt')).toBe('1\ntwo\n3\n3\n');
    const all = '<<<<<<< SEARCH_ALL\n3\n=======\n4\n>>>>>>> REPLACE_ALL';
    await workspace.ask(editFileTool, { path: 'a.txt', diff: all });
    const other = '------- SEARCH\ntwo\n=======\n2\n+++++++ REPLACE';
    await workspace.ask(editFileTool, { path: 'a.txt', diff: other });
    expect(await textAt(workspace, '/a.txt')).toBe('1\n2\n4\n4\n');

    const problems = new Set<string>();
    for (const diff of [
      '=======',
      '>>>>>>> REPLACE',
      'text',
      '```',
      '<<<<<<< SEARCH\n=======\nx\n>>>>>>> REPLACE',
      block('1', '1'),
      '<<<<<<< SEARCH\n1\n=======\nx',
      '<<<<<<< SEARCH\n1\n>>>>>>> REPLACE',
      '<<<<<<< SEARCH\n1\n=======\nx\n=======\n>>>>>>> REPLACE',
      '<<<<<<< SEARCH\n1\n=======\nx\n>>>>>>> REPLACE_ALL',
      `<<<<<<< SEARCH\n1\n${block('2', 'x')}`,
    ]) {
      const { text } = await workspace.ask(editFileTool, { path: 'a.txt', diff });
      expect(text).toContain('Malformed diff: ');
      problems.add(text.replace(/^.*Malformed diff: /s, ''));
    }
    expect(problems.size).toBe(11);
    for (const [first, second] of [
      ['1\n2', '2\n4\n4'],
      ['1', '2'],
    ] as const) {
      const { text } = await workspace.ask(editFileTool, {
        path: 'a.txt',
        diff: block(first, 'x') + block(second, 'y'),
      });
      expect(text).toMatch(/overlap|touch/);
    }
    expect(await textAt(workspace, '/a.txt')).toBe('1\n2\n4\n4\n');
  });

  it('notices that a file has changed since it was read, if the model says which version it read', async () => {
    const workspace = await workspaceOf({ 'a.txt': 'one\n' });
    const { text } = await workspace.ask(readFilesTool, { paths: ['a.txt'] });
    const version = /\[version (\S+)\]/.exec(text)?.[1] ?? '';
    await workspace.files.write('/a.txt', 'one, but changed\n');
    const edit = { path: 'a.txt', old_text: 'one', new_text: '1', version };
    expect((await workspace.ask(editFileTool, edit)).text).toContain("File 'a.txt' has changed since it was read");
    expect((await workspace.ask(writeFileTool, { path: 'a.txt', content: '', version })).text).toContain(
      'Read it again',
    );
    expect(await textAt(workspace, '/a.txt')).toBe('one, but changed\n');
    await workspace.files.remove('/a.txt');
    expect((await workspace.ask(writeFileTool, { path: 'a.txt', content: '', version })).text).toContain(
      'is gone since',
    );
    const { text: made } = await workspace.ask(writeFileTool, { path: 'a.txt', content: 'one\n' });
    const newer = /version (\S+)\)/.exec(made)?.[1] ?? '';
    const again = await workspace.ask(editFileTool, { ...edit, version: newer });
    expect(again.isError).toBe(false);
    expect(await textAt(workspace, '/a.txt')).toBe('1\n');
  });

  it('makes one of several changes at once that were decided on the same version, and all of those that were not', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
    const workspace = await workspaceOf({ 'a.txt': lines.join('') });
    const { text } = await workspace.ask(readFilesTool, { paths: ['a.txt'] });
    const version = /version (\S+)\]/.exec(text)?.[1] ?? '';
    const addition = { path: 'a.txt', content: 'added\n', append: true, version };
    const added = await Promise.all(lines.map(() => workspace.ask(writeFileTool, addition)));
    const [done, ...others] = added.filter(({ isError }) => !isError);
    expect(others).toEqual([]);
    const newer = /version (\S+)\)/.exec(done?.text ?? '')?.[1] ?? '';
    const edit = { path: 'a.txt', old_text: 'added', new_text: 'end', version: newer };
    expect((await workspace.ask(editFileTool, edit)).isError).toBe(false);

    const edits = lines.map((line) => ({ path: 'a.txt', old_text: line, new_text: line.toUpperCase() }));
    const edited = await Promise.all(edits.map((input) => workspace.ask(editFileTool, input)));
    expect(edited.filter(({ isError }) => isError)).toEqual([]);
    expect(await textAt(workspace, '/a.txt')).toBe(`${lines.join('').toUpperCase()}end\n`);
  });

  it('says what was saved, where a program formats files when they are written', async () => {
    const { files } = await workspaceOf({ 'a.txt': 'one\n' });
    const formatting: Files = {
      ...files,
      write: async (path, data, options) => {
        const text = typeof data === 'string' ? data : new TextDecoder().decode(data);
        return files.write(path, text.toUpperCase(), options);
      },
    };
    delete (formatting as Partial<typeof files>).batch;
    const host = { projects: projectsOf({ app: { files: formatting } }) };
    const edited = await runTool(editFileTool, { path: 'a.txt', old_text: 'one', new_text: 'two' }, { host });
    expect(edited.output).toMatch(
      /It was saved differently, perhaps by a program that formats it. It is now \(version [\w-]+\):\nTWO\n/,
    );
    const written = await runTool(writeFileTool, { path: 'b.txt', content: 'b' }, { host });
    expect(written.output).toMatch(/It is now \(version [\w-]+\):\nB/);
  });
});

it('[A2-09] edits on the final bytes: exact, ambiguous, overlapping, CRLF, BOM, UTF-16, $ patterns, a formatter in between', async () => {
  const edited = async (content: string | Uint8Array, input: JsonObject) => {
    const workspace = await workspaceOf({ 'a.txt': content });
    const { isError } = await workspace.ask(editFileTool, { path: 'a.txt', ...input });
    return { isError, bytes: await bytesAt(workspace, '/a.txt') };
  };
  const blocks = (...pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([from, to]) => `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE`).join('\n');
  const bytes = (text: string) => new TextEncoder().encode(text);
  const replacing = (old_text: string, new_text: string) => ({ old_text, new_text });
  const done = (text: string) => ({ isError: false, bytes: bytes(text) });
  const refused = (text: string) => ({ isError: true, bytes: bytes(text) });
  expect(await edited('a b c', replacing('b', 'x'))).toEqual(done('a x c'));
  expect(await edited('a b b', replacing('b', 'x'))).toEqual(refused('a b b'));
  expect(await edited('aaa', replacing('aa', 'x'))).toEqual(refused('aaa'));
  expect(await edited('1\n2\n3\n', { diff: blocks(['1\n2', 'x'], ['2\n3', 'y']) })).toEqual(refused('1\n2\n3\n'));
  expect(await edited('1\r\n2\r\n', replacing('1\n2', 'x\ny'))).toEqual(done('x\r\ny\r\n'));
  expect(await edited('\ufeffa\n', replacing('a', 'x'))).toEqual(done('\ufeffx\n'));
  expect(await edited(utf16('ä b\n'), replacing('b', '✓'))).toEqual({ isError: false, bytes: utf16('ä ✓\n') });
  expect(await edited('a', replacing('a', "$&$`$'$1$$"))).toEqual(done("$&$`$'$1$$"));

  const workspace = await workspaceOf({ 'a.txt': 'let a = 1\nlet b = 2\n' });
  await workspace.ask(editFileTool, { path: 'a.txt', ...replacing('a = 1', 'a = 3') });
  await workspace.files.write('/a.txt', 'let a = 3;\nlet b = 2;\n'); // as a formatter leaves it
  const next = await workspace.ask(editFileTool, { path: 'a.txt', ...replacing('let b = 2\n', 'let b = 4\n') });
  expect(next).toEqual({ isError: true, text: expect.stringContaining('let b = 2;') });
  await workspace.ask(editFileTool, { path: 'a.txt', ...replacing('let b = 2;', 'let b = 4;') });
  expect(await textAt(workspace, '/a.txt')).toBe('let a = 3;\nlet b = 4;\n');
});

it('[S4-20] writes text and JSON, makes directories, always shows the difference first, and reports the outcome', async () => {
  const workspace = await workspaceOf({});
  const toolset = resolveToolset(createRegistry([writeFileTool]), emptySettings, workspace.host);
  const call = { name: 'write_file', input: { path: 'new/deep/a.json', content: { a: [1, { b: null }] } } };
  const model = scriptedModel([{ calls: [call] }, { calls: [call] }, {}]);
  const turn = run({ model, toolset, messages: 'Write.', policy: permissions('write') });
  const previews: unknown[] = [];
  for await (const event of turn.events()) {
    if (event.type !== 'approval-request') continue;
    previews.push(event.preview);
    expect(await workspace.files.stat('/new')).toBeUndefined();
    turn.answer(event.questionId, previews.length === 1 ? 'deny' : 'once');
  }
  const json = '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}\n';
  const changes = { type: 'changes', undoable: true, changes: [{ path: '/new/deep/a.json', after: json }] };
  expect(previews).toEqual([changes, changes]);
  expect(await textAt(workspace, '/new/deep/a.json')).toBe(json);
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  expect(last).toMatch(/did not allow|denied|not allowed|refused/i);
  expect(last).toContain(`Successfully wrote ${json.length} bytes to file 'new/deep/a.json'`);
});

it('[S4-22] finds text that is written a little differently, refuses what is ambiguous with its count, and keeps CRLF and marks', async () => {
  const source = '\ufeffsay “hi” – now\u00a0\r\nﬁne  \r\nend';
  const workspace = await workspaceOf({ 'a.txt': source, 'b.txt': 'x\nx\nx\n' });
  for (const [old_text, new_text] of [
    ['say "hi" - now\n', 'say "ho" - now\n'],
    ['fine\n', 'good\n'],
    ['end\n', 'END\n'],
  ] as const) {
    expect((await workspace.ask(editFileTool, { path: 'a.txt', old_text, new_text })).isError).toBe(false);
  }
  const text = await textAt(workspace, '/a.txt');
  expect(text.normalize('NFKC')).toMatch(/^\ufeffsay “ho” – now\s*\r\ngood *\r\nEND(?:\r\n)?$/);
  expect((await workspace.ask(editFileTool, { path: 'b.txt', old_text: 'x', new_text: 'y' })).text).toContain(
    'occurs 3 times',
  );
});

it('[D1-09] takes the paths that Windows writes, and refuses those of a disk with what to give instead', async () => {
  const workspace = await workspaceOf({ 'src/lib/a.txt': 'one' });
  expect((await workspace.ask(readFilesTool, { paths: ['src\\lib\\a.txt:1'] })).text).toContain('one');
  expect((await workspace.ask(writeFileTool, { path: '.\\src\\b.txt', content: 'b' })).isError).toBe(false);
  expect((await workspace.ask(deleteFilesTool, { paths: ['src\\b.txt'] })).isError).toBe(false);
  const { text } = await workspace.ask(readFilesTool, { paths: ['C:\\project\\src\\a.txt'] });
  expect(text).toContain('Give the path from the root of the project, such as src/main.ts.');
});

describe('delete_files and move', () => {
  it('[S2-32] tells the result of each path, failures first', async () => {
    const { ask, files } = await workspaceOf({ 'a.txt': 'a', 'd/b.txt': 'b', 'd/c/c.txt': 'c' });
    const some = await ask(deleteFilesTool, { paths: ['a.txt', 'none', 'd', '.', '../x'] });
    expect(some.isError).toBe(true);
    expect(some.text.split('\n').map((line) => line.replace(/(: E\w+).*/, '$1'))).toEqual([
      "Failed to delete 'none': ENOENT",
      "Failed to delete 'd': ENOTEMPTY",
      "Failed to delete '.': EINVAL",
      "Failed to delete '../x': EINVAL",
      "Deleted 'a.txt'",
      'Deleted 1 of 5',
    ]);
    expect((await ask(deleteFilesTool, { paths: ['d'], recursive: true })).text).toBe(
      "Deleted 'd' with 2 file(s)\nDeleted 1 of 1",
    );
    expect((await files.usage()).files).toBe(0);
  });

  it('moves, and overwrites only if told to', async () => {
    const { ask, files } = await workspaceOf({ 'a.txt': 'a', 'b.txt': 'b' });
    expect((await ask(moveTool, { from: 'a.txt', to: 'b.txt' })).text).toContain('EEXIST');
    expect((await ask(moveTool, { from: 'a.txt', to: 'new\\a.txt' })).text).toBe("Moved 'a.txt' to 'new/a.txt'");
    await ask(moveTool, { from: 'new/a.txt', to: 'b.txt', overwrite: true });
    expect((await files.readText('/b.txt')).text).toBe('a');
  });
});

/** Preview of a call, which is then refused. */
async function previewOf(workspace: Workspace, tool: Tool, input: JsonObject): Promise<Preview | undefined> {
  const asked = run({
    model: scriptedModel([{ calls: [{ name: tool.name, input }] }, {}]),
    toolset: resolveToolset(createRegistry([tool]), emptySettings, workspace.host),
    messages: 'Go.',
    policy: permissions('write'),
  });
  let preview: Preview | undefined;
  for await (const event of asked.events()) {
    if (event.type !== 'approval-request') continue;
    preview = event.preview as Preview | undefined;
    asked.answer(event.questionId, 'deny');
  }
  return preview;
}

it.each<[Tool, JsonObject, Preview['changes']]>([
  [writeFileTool, { path: 'new/b.txt', content: 'b' }, [{ path: '/new/b.txt', after: 'b' }]],
  [writeFileTool, { path: 'a.txt', content: 'x' }, [{ path: '/a.txt', before: 'one\ntwo\n', after: 'x' }]],
  [
    editFileTool,
    { path: 'a.txt', old_text: 'two', new_text: '$&' },
    [{ path: '/a.txt', before: 'one\ntwo\n', after: 'one\n$&\n' }],
  ],
  [
    deleteFilesTool,
    { paths: ['d', 'none'], recursive: true },
    [
      { path: '/d/b.txt', before: 'b' },
      { path: '/d/c.bin', before: expect.stringMatching(/^\(binary, 3 bytes, [\w-]+\)$/) },
    ],
  ],
  [
    moveTool,
    { from: 'a.txt', to: 'n.txt' },
    [
      { path: '/a.txt', before: 'one\ntwo\n' },
      { path: '/n.txt', after: 'one\ntwo\n' },
    ],
  ],
])('[D4-11] shows what %o would change, and leaves nothing where it is refused', async (tool, input, changes) => {
  const workspace = await workspaceOf({
    'a.txt': 'one\ntwo\n',
    'd/b.txt': 'b',
    'd/c.bin': new Uint8Array([0, 255, 1]),
  });
  const before = await workspace.files.usage();
  expect((await previewOf(workspace, tool, input))?.changes).toEqual(changes);
  expect(await workspace.files.usage()).toEqual(before);
  expect(await workspace.files.stat('/new')).toBeUndefined();
});

it('counts what a preview does not show', async () => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`d/${index + 10}.txt`, 'x']));
  const workspace = await workspaceOf(many);
  const changes = (await previewOf(workspace, deleteFilesTool, { paths: ['d'], recursive: true }))?.changes ?? [];
  expect(changes).toHaveLength(51);
  expect(changes.slice(49)).toEqual([
    { path: '/d/59.txt', before: 'x' },
    { path: '/d (10 more files)', before: '(not shown)' },
  ]);
});

it('[D1-06] changes nothing outside of its project, asks before it does, and can be undone as a whole', async () => {
  const storage = versionedStorage(memoryStorage());
  const before = createFiles(storage);
  await before.write('/a.txt', 'one\n');
  await before.write('/b.txt', 'two\n');
  await before.write('/d/c.txt', 'three\n');
  const files = createFiles(storage.as({ actor: 'assistant', turn: 'turn-1' }));
  const calls = [
    { name: 'write_file', input: { path: '../outside.txt', content: 'x' } },
    { name: 'write_file', input: { path: 'new.txt', content: 'new' } },
    { name: 'edit_file', input: { path: 'a.txt', old_text: 'one', new_text: '1' } },
    { name: 'move', input: { from: 'b.txt', to: 'moved/b.txt' } },
    { name: 'delete_files', input: { paths: ['d'], recursive: true } },
  ];
  const tools = [writeFileTool, editFileTool, moveTool, deleteFilesTool];
  const turn = run({
    model: scriptedModel([...calls.map((call) => ({ calls: [call] })), {}]),
    toolset: resolveToolset(createRegistry(tools), emptySettings, { projects: projectsOf({ app: { files } }) }),
    messages: 'Tidy up.',
    policy: permissions('write'),
  });
  let asked = 0;
  for await (const event of turn.events()) {
    if (event.type !== 'approval-request') continue;
    asked++;
    turn.answer(event.questionId, 'once');
  }
  expect(asked).toBe(calls.length);
  const names = async () => (await before.list('/', { depth: 9 })).entries.map(({ path }) => path);
  expect(await names()).toEqual(['/a.txt', '/moved', '/moved/b.txt', '/new.txt']);
  await storage.history.undo('turn-1');
  expect(await names()).toEqual(expect.arrayContaining(['/a.txt', '/b.txt', '/d', '/d/c.txt']));
  expect(await names()).not.toContain('/new.txt');
  expect((await before.readText('/a.txt')).text).toBe('one\n');
});
