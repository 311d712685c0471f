import { createFiles, UtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { createElement, StrictMode } from 'react';
import { describe, expect, it } from 'vitest';
import { later, patient, renderHook } from './test-kit/render.ts';
import { useFiles } from './use-files.ts';
import type { FilesState } from './use-files.ts';

const pathsOf = ({ entries }: FilesState): readonly string[] | undefined => entries?.map(({ path }) => path);

/** Files that count who watches them and how often they are listed, and can be made to wait or fail. */
function observed(files: Files) {
  const counts = { watching: 0, listed: 0, atOnce: 0, mostAtOnce: 0 };
  let gate = Promise.resolve();
  let failure: UtensilError | undefined;
  const list: Files['list'] = async (...given) => {
    counts.listed++;
    counts.mostAtOnce = Math.max(counts.mostAtOnce, ++counts.atOnce);
    try {
      await gate;
      if (failure) throw failure;
      return await files.list(...given);
    } finally {
      counts.atOnce--;
    }
  };
  const watch: Files['watch'] = (...given) => {
    const leave = files.watch(...given);
    counts.watching++;
    return () => {
      counts.watching--;
      leave();
    };
  };
  return {
    counts,
    files: { list, watch },
    fail: (problem?: UtensilError) => (failure = problem),
    /** Listings wait until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = later();
      gate = promise;
      return resolve;
    },
  };
}

describe('useFiles', () => {
  it('shows the contents of a directory, and changes by others', async () => {
    const storage = memoryStorage();
    const [ours, theirs] = [createFiles(storage), createFiles(storage)];
    await ours.write('/notes/a.md', 'a');
    const hook = renderHook(({ files, path }) => useFiles(files, path), { files: ours, path: '/notes' });
    expect(hook.value()).toEqual({});
    await expect.poll(() => pathsOf(hook.value()), patient).toEqual(['/notes/a.md']);
    const [first] = hook.value().entries ?? [];
    await theirs.write('/notes/b.md', 'b');
    await expect.poll(() => pathsOf(hook.value()), patient).toEqual(['/notes/a.md', '/notes/b.md']);
    expect(hook.value().entries?.[0]).toBe(first);
  });

  it('renders for nothing that is not to be seen', async () => {
    const storage = createFiles(memoryStorage());
    await storage.write('/below/a.md', 'a');
    const watched = observed(storage);
    const hook = renderHook(({ files }) => useFiles(files), { files: watched.files });
    await expect.poll(() => pathsOf(hook.value()), patient).toEqual(['/below']);
    const [renders, listed] = [hook.seen.length, watched.counts.listed];
    await storage.write('/below/b.md', 'b');
    await expect.poll(() => watched.counts.listed, patient).toBeGreaterThan(listed);
    await expect.poll(() => watched.counts.atOnce, patient).toBe(0);
    expect(hook.seen.length).toBe(renders);
  });

  it('reads once at a time, whatever happens meanwhile, and shows the end of it', async () => {
    const files = createFiles(memoryStorage());
    const { files: slow, counts, hold } = observed(files);
    const release = hold();
    const hook = renderHook(({ files }) => useFiles(files), { files: slow });
    await expect.poll(() => counts.listed, patient).toBe(1);
    for (let each = 0; each < 100; each++) await files.write(`/${each}.md`, '');
    release();
    await expect.poll(() => hook.value().entries?.length, patient).toBe(100);
    expect(counts.mostAtOnce).toBe(1);
    expect(counts.listed).toBeLessThan(10);
  });

  it('shows nothing of the directory before, even where that comes late', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/a/1.md', '');
    await files.write('/b/2.md', '');
    const { files: slow, hold } = observed(files);
    const release = hold();
    const hook = renderHook(({ files, path }) => useFiles(files, path), { files: slow, path: '/a' });
    hook.again({ files: slow, path: '/b' });
    release();
    await expect.poll(() => pathsOf(hook.value()), patient).toEqual(['/b/2.md']);
    hook.again({ files: slow, path: '/a' });
    expect(hook.value()).toEqual({});
    await expect.poll(() => pathsOf(hook.value()), patient).toEqual(['/a/1.md']);
    expect(
      hook.seen
        .map(pathsOf)
        .flat()
        .filter((path) => path === '/a/1.md'),
    ).toHaveLength(1);
  });

  it('reads all pages of a long directory', async () => {
    const files = createFiles(memoryStorage());
    for (let each = 0; each < 7; each++) await files.write(`/${each}.md`, '');
    const list: Files['list'] = (path, options) => files.list(path, { ...options, limit: 3 });
    const hook = renderHook(({ files }) => useFiles(files), { files: { list, watch: files.watch } });
    await expect.poll(() => hook.value().entries?.length, patient).toBe(7);
  });

  it('tells what is wrong, keeps what it knows, and recovers', async () => {
    const files = createFiles(memoryStorage());
    const { files: ours, fail } = observed(files);
    await files.write('/a/1.md', '');
    const hook = renderHook(({ files, path }) => useFiles(files, path), { files: ours, path: '/a' });
    await expect.poll(() => pathsOf(hook.value()), patient).toEqual(['/a/1.md']);
    fail(new UtensilError('EIO', 'The disk is gone.'));
    await files.write('/a/2.md', '');
    await expect.poll(() => hook.value().problem?.code, patient).toBe('EIO');
    expect(pathsOf(hook.value())).toEqual(['/a/1.md']);
    fail();
    await files.write('/a/3.md', '');
    await expect.poll(() => hook.value().entries?.length, patient).toBe(3);
    expect(hook.value().problem).toBeUndefined();
    await files.remove('/a', { recursive: true });
    await expect.poll(() => hook.value(), patient).toMatchObject({ problem: { code: 'ENOENT' } });
    expect(hook.value().entries).toBeUndefined();
    hook.again({ files: ours, path: '/../a\0' });
    await expect.poll(() => hook.value().problem?.code, patient).toBe('EINVAL');
  });

  it('waits for files that are not open yet', async () => {
    const files = createFiles(memoryStorage());
    const hook = renderHook<{ readonly files: Files | undefined }, FilesState>(({ files }) => useFiles(files), {
      files: undefined,
    });
    expect(hook.value()).toEqual({});
    hook.again({ files });
    await expect.poll(() => hook.value().entries, patient).toEqual([]);
  });

  it('watches once in strict mode, and no more when it is gone, even while it reads', async () => {
    const { files, counts, hold } = observed(createFiles(memoryStorage()));
    const release = hold();
    const hook = renderHook(
      ({ files }) => useFiles(files),
      { files },
      (node) => createElement(StrictMode, null, node),
    );
    expect(counts.watching).toBe(1);
    const renders = hook.seen.length;
    hook.unmount();
    expect(counts.watching).toBe(0);
    release();
    await expect.poll(() => counts.atOnce, patient).toBe(0);
    expect(hook.seen.length).toBe(renders);
  });
});
