import { createFiles } from '@utensil/core';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryState, memoryStorage } from './memory.ts';
import type { DirectoryNode } from './node.ts';

const count = 2000;
const all = Array.from({ length: count }, (_, index) => `/${String((index * 7919) % count).padStart(4, '0')}`).sort();

let directory: DirectoryNode;
let files: ReturnType<typeof createFiles>;

beforeEach(async () => {
  const state = memoryState();
  const driver = memoryStorage({ state });
  directory = (state.namespaces.get('') as { readonly files: DirectoryNode }).files;
  files = createFiles(driver);
  const changes = all.map((path) => ({ type: 'write', tree: 'files', path, content: new Uint8Array() }) as const);
  await driver.commit({ expect: [], changes, time: 0 });
});

async function pages(turn: (paths: readonly string[]) => Promise<void> = async () => {}): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ;) {
    const { entries, next } = await files.list('/', { limit: 50, ...(after !== undefined && { after }) });
    const paths = entries.map(({ path }) => path);
    found.push(...paths);
    await turn(paths);
    after = next;
    if (after === undefined) return found;
  }
}

describe('a paged listing', () => {
  it('visits each name once, and again at page boundaries', async () => {
    const look = vi.spyOn(directory.children, 'get');
    expect(await pages()).toEqual(all);
    expect(look.mock.calls.length).toBeLessThan(count + 3 * (count / 50));
  });

  it('rarely sorts again while entries are removed page by page', async () => {
    const sort = vi.spyOn(directory.children, 'keys');
    const removeAll = async (paths: readonly string[]): Promise<void> => {
      for (const path of paths) await files.remove(path);
    };
    expect(await pages(removeAll)).toEqual(all);
    expect(sort.mock.calls.length).toBeLessThan(15);
    expect((await files.list('/')).entries).toEqual([]);
  });

  it('lists an entry that was removed and recreated only once', async () => {
    await files.list('/', { limit: 1 });
    await files.remove('/0005');
    await files.write('/0005', 'again');
    await files.remove('/0006');
    await files.write('/00065', 'new');
    expect(await pages()).toEqual([...all.slice(0, 6), '/00065', ...all.slice(7)]);
  });
});
