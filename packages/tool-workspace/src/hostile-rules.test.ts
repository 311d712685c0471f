import { createFiles, runTool } from '@utensil/core';
import type { Files } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it, vi } from 'vitest';
import { globFilesTool, listFilesTool, projectsOf, searchFilesTool } from './index.ts';
import { readerOf } from './reader.ts';
import { matchingPaths, walkFiles } from './walk.ts';

const cut = 'Not all patterns are heeded of .gitignore';

async function filesOf(contents: Readonly<Record<string, string>>): Promise<Files> {
  const files = createFiles(memoryStorage());
  for (const [path, text] of Object.entries(contents)) await files.write(`/${path}`, text);
  return files;
}

function manyOf(line: (index: number) => string): string {
  return Array.from({ length: 5_000 }, (_, index) => line(index)).join('\n');
}

describe('a hostile .gitignore', () => {
  it('with 5,000 patterns does not hold up a listing, a search or a glob', async () => {
    const paths = Array.from(
      { length: 300 },
      (_, index) => `src/${'a'.repeat(40)}/${index % 20}/${'a'.repeat(60)}${index}.ts`,
    );
    const contents = Object.fromEntries(paths.map((path) => [path, 'needle']));
    for (const rules of [manyOf((index) => `a*${index}*c`), manyOf((index) => `**/a*${index}*/**/a*c`)]) {
      const host = { projects: projectsOf({ app: { files: await filesOf({ ...contents, '.gitignore': rules }) } }) };
      const answers = [
        await runTool(listFilesTool, {}, { host }),
        await runTool(globFilesTool, { pattern: '*299.ts' }, { host }),
        await runTool(searchFilesTool, { pattern: 'needle', output: 'files' }, { host }),
      ];
      for (const { output } of answers) expect(output).toContain(cut);
      expect(answers[1]?.output).toContain(paths.at(-1));
    }
  });

  it('in each of many directories is heeded up to a size in all', async () => {
    const rules = `${manyOf((index) => `name-${index}-${'x'.repeat(40)}`)}\nsecret`;
    const directories = Array.from({ length: 12 }, (_, index) => `d${String(index).padStart(2, '0')}`);
    const contents = directories.flatMap((name) => [
      [`${name}/.gitignore`, rules],
      [`${name}/secret`, ''],
      [`${name}/x`, ''],
    ]);
    const files = await filesOf(Object.fromEntries(contents) as Record<string, string>);
    const cutRules = new Set<string>();
    const found: string[] = [];
    for await (const paths of walkFiles(readerOf(files), { under: '/', cutRules })) found.push(...paths);
    expect(found).toContain('/d00/x');
    expect(found).not.toContain('/d00/secret');
    expect([...cutRules].at(-1)).toBe('/d11/.gitignore');
    expect(cutRules.size).toBeLessThan(8);
  });

  it('is read on within a directory of thousands of files only as long as nobody aborts', async () => {
    const controller = new AbortController();
    const names = Array.from({ length: 5_000 }, (_, index) => ({ name: `file-${index}`, kind: 'file' as const }));
    const reader = {
      list: () => {
        controller.abort(new Error('enough'));
        return names;
      },
      readEach: vi.fn<() => void>(),
    };
    const found: string[] = [];
    const walk = async (): Promise<void> => {
      for await (const paths of walkFiles(reader, { under: '/', signal: controller.signal })) found.push(...paths);
    };
    await expect(walk()).rejects.toThrow('enough');
    expect(found.length).toBeLessThan(100);
  });
});

it('a pattern that takes its time with each path lets an abort have its turn', async () => {
  const controller = new AbortController();
  const matches = vi.fn<() => boolean>(() => {
    const end = performance.now() + 5;
    while (performance.now() < end);
    return true;
  });
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  setTimeout(() => controller.abort(new Error('enough')), 20);
  const paths = Array.from({ length: 1_000 }, (_, index) => `/${index}`);
  await expect(matchingPaths(paths, matches, { pause, signal: controller.signal })).rejects.toThrow('enough');
  expect(matches.mock.calls.length).toBeLessThan(500);
});
