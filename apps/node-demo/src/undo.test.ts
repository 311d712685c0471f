// The real program edits a real project by the calls of a model, and undoes the edits: the official SDK, over HTTP,
// against a local server.
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@utensil/core';
import { type Loopback, loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { expect, it } from 'vitest';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

const project: Readonly<Record<string, string>> = {
  'src/main.ts': "import { greet } from './greet.ts';\n\nconsole.log(greet('Ada'));\n",
  'src/greet.ts': '\uFEFFexport function greet(name: string) {\r\n  return `Hello ${name}`;\r\n}\r\n',
  'README.md': '# Greetings\n\nSays hello.',
  'old.txt': 'nobody needs this\n',
};

const edits: readonly (readonly [name: string, input: JsonObject])[] = [
  ['edit_file', { path: 'src/greet.ts', old_text: 'Hello ${name}', new_text: 'Good day, ${name}' }],
  ['edit_file', { path: 'src/main.ts', old_text: "greet('Ada')", new_text: "greet('Grace')" }],
  ['write_file', { path: 'README.md', content: '# Greetings\n\nSays good day.\n' }],
  ['write_file', { path: 'docs/usage.md', content: 'node src/main.ts\n' }],
  ['delete_files', { paths: ['old.txt'] }],
  ['move', { from: 'src/greet.ts', to: 'src/greeting.ts' }],
  ['edit_file', { path: 'src/main.ts', old_text: './greet.ts', new_text: './greeting.ts' }],
];

/** A model that makes these calls one after another, each time it is asked for something, and then says that they are done. */
function editor(): Promise<Loopback> {
  let next = 0;
  return loopback(() => {
    const [name, input] = edits[next] ?? [];
    next++;
    const call = { type: 'tool_use', id: `call-${next}`, name, input };
    return { body: anthropicStream(name === undefined ? [{ type: 'text', text: 'Done.' }] : [call]) };
  });
}

async function writeProject(folder: string): Promise<void> {
  await mkdir(join(folder, 'src'));
  for (const [path, text] of Object.entries(project)) await writeFile(join(folder, path), text);
}

/** Every file of the project, by its path. */
async function filesOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const shown = paths.map((path) => path.slice(folder.length + 1)).filter((path) => !path.startsWith('.utensil'));
  return Object.fromEntries(
    await Promise.all(shown.map(async (path) => [path, await readFile(join(folder, path), 'utf8')])),
  );
}

const env = { ANTHROPIC_API_KEY: 'k' };
const told = 'I have taken back all changes of files that you made for \\"Greet politely.\\".';

it('edits a real project, and /undo takes back all of it, to the byte', async () => {
  await using server = await editor();
  await using folder = await temporaryFolder();
  await writeProject(folder.path);
  const words = ['--folder', folder.path, '--yes', '--base-url', server.url];
  const { code } = await demo([...words, 'Greet politely.'], { env });
  expect(code).toBe(0);
  expect(await filesOf(folder.path)).toEqual({
    'src/main.ts': "import { greet } from './greeting.ts';\n\nconsole.log(greet('Grace'));\n",
    'src/greeting.ts': '\uFEFFexport function greet(name: string) {\r\n  return `Good day, ${name}`;\r\n}\r\n',
    'README.md': '# Greetings\n\nSays good day.\n',
    'docs/usage.md': 'node src/main.ts\n',
  });

  const input = '/undo\nWhat is there now?\n/undo\n'; // in another process
  const { all: output } = await demo([...words, '--thread', '1'], { env, input });
  expect(output).toContain('Undone: the file changes of "Greet politely.".');
  expect(output).toContain('Nothing to undo.');
  expect(await filesOf(folder.path)).toEqual(project);
  expect(existsSync(join(folder.path, 'docs'))).toBe(false);
  expect(server.requests.at(-1)?.body).toContain(told);
});

it('takes nothing back if a person has changed the same file since', async () => {
  await using server = await editor();
  await using folder = await temporaryFolder();
  await writeProject(folder.path);
  const words = ['--folder', folder.path, '--yes', '--base-url', server.url];
  await demo([...words, 'Greet politely.'], { env });
  const readme = join(folder.path, 'README.md');
  await demo(['--folder', folder.path, '--yes', '--model', 'offline', 'write README.md: mine']);
  const before = await filesOf(folder.path);
  const { code, all: output } = await demo([...words, '--thread', '2'], { env, input: '/undo\n' });
  expect(code).toBe(1);
  expect(output.replaceAll(/\s+/g, ' ')).toContain("Changed since by somebody else: '/README.md'");
  expect(await filesOf(folder.path)).toEqual(before);
  expect(await readFile(readme, 'utf8')).toBe('mine\n');
});

it('undoes answer after answer, the last first', async () => {
  await using folder = await temporaryFolder();
  const input = 'write a.md: one\nwrite b.md: two then remember tea: Assam\nread a.md\n/undo\nread a.md\n/undo\nlist\n';
  const { all: output } = await demo(['--folder', folder.path, '--yes'], { input });
  expect(output.match(/Undone: the file changes of ".*"\./g)).toEqual([
    'Undone: the file changes of "write b.md: two then remember tea: Assam".',
    'Undone: the file changes of "write a.md: one".',
  ]);
  expect(await filesOf(folder.path)).toEqual({});
});
