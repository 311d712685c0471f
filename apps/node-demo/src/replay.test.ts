import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { replay } from './replay.ts';
import { demo, temporaryFolder } from './test-kit/spawn-demo.ts';

async function report(folder: string): Promise<string> {
  const path = join(folder, 'report.jsonl');
  const input = `write a.md: one\nread a.md\n/export ${path}\n/quit\n`;
  const { code, all } = await demo(['--folder', folder, '--yes'], { input });
  expect([code, all]).toEqual([0, expect.stringContaining(`${path} has everything that was said here.`)]);
  return path;
}

it('replays an exported conversation, and names what the tools of today do otherwise', async () => {
  await using folder = await temporaryFolder();
  const path = await report(folder.path);
  const same = await demo(['--replay', path], { fromSources: true });
  expect(same).toMatchObject({ code: 0, output: 'Identical: 4 turns of the model in 2 runs.\n' });
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"title":"Create /a.md"', '"title":"Make /a.md"'));
  const other = await demo(['--replay', path]);
  expect(other.code).toBe(1);
  expect(other.output).toContain('First divergence, in turn 1 of run ');
  expect(other.output).toContain('parts[0].title is "Create /a.md"; stored is "Make /a.md".');
});

it('gives the reason if a report is damaged, truncated or missing', async () => {
  await using folder = await temporaryFolder();
  const path = await report(folder.path);
  const text = await readFile(path, 'utf8');
  const said = async (changed: string): Promise<unknown> => {
    await writeFile(path, changed);
    return replay({ file: path, from: folder.path, write: () => undefined }).catch((error: unknown) => error);
  };
  const message = (part: string) => ({ message: expect.stringContaining(part) });
  expect(await said(text.split('\n').slice(0, -3).join('\n'))).toMatchObject(message('the rest is missing'));
  expect(await said(text.replace('"role":"user"', '"role":"nobody"'))).toMatchObject(message('Line 3 is not an entry'));
  expect(await said('hello')).toMatchObject(message('Its first line does not say that it is one.'));
  expect(await said(text.replace('"version":1', '"version":9'))).toMatchObject(message('Update Utensil.'));
  const missing = await demo(['--replay', join(folder.path, 'none.jsonl')]);
  expect(missing).toMatchObject({ code: 2, errors: expect.stringContaining('cannot be read (ENOENT)') });
});

it('writes a test next to a copy of the report, and overwrites neither', async () => {
  await using folder = await temporaryFolder();
  const path = await report(folder.path);
  const test = join(folder.path, 'found.test.ts');
  let told = '';
  const given = { file: path, test, from: folder.path, write: (text: string) => void (told += text) };
  expect(await replay(given)).toBe(0);
  expect(told).toContain(`Wrote the test ${test}, `);
  const text = await readFile(test, 'utf8');
  expect(text).toContain("new URL('./found.jsonl', import.meta.url)");
  expect(text).toMatch(/from '\..*\/apps\/node-demo\/src\/tools\.ts'/);
  expect(await readFile(join(folder.path, 'found.jsonl'), 'utf8')).toBe(await readFile(path, 'utf8'));
  await expect(replay(given)).rejects.toMatchObject({ message: expect.stringContaining('exists: name another file') });
});

it('the name of a test and of its folder became code of the test, and another report was replaced', async () => {
  await using folder = await temporaryFolder();
  const path = await report(folder.path);
  const name = "a'), process.exit(7); ('#%25";
  const test = join(folder.path, "it's", `${name}.test.mjs`);
  const given = { file: path, test, from: folder.path, write: () => undefined };
  expect(await replay(given)).toBe(0);
  const text = await readFile(test, 'utf8');
  const code = text.replaceAll(/^import .*$/gm, '').replaceAll('import.meta.url', 'own');
  const told: string[] = [];
  const tell = (title: string, body: () => Promise<void>): void => {
    told.push(title);
    void body().catch(() => undefined);
  };
  const readReport = async (url: URL): Promise<never> => {
    told.push(fileURLToPath(url));
    throw new Error('Read.');
  };
  runInNewContext(code, { it: tell, readFile: readReport, URL, own: pathToFileURL(test) });
  expect(told).toEqual([`does again what ${name}.jsonl says`, test.replace('.test.mjs', '.jsonl')]);
  await rm(test);
  await expect(replay(given)).rejects.toMatchObject({ message: expect.stringContaining('would replace it') });
});
