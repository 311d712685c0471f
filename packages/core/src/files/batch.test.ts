import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFiles } from '../testing/files-model.ts';
import { createFiles } from './create-files.ts';
import type { Files } from './files.ts';
import type { StorageChange, StorageDriver } from './storage/driver.ts';
import { createCommitStage } from './storage/stage/stage.ts';

async function contentOf(files: Files): Promise<Readonly<Record<string, string>>> {
  const { entries } = await files.list('/', { depth: 32 });
  const texts = entries.map(async ({ path, kind }) => [
    path,
    kind === 'file' ? (await files.readText(path)).text : '(directory)',
  ]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

describe('batch', () => {
  it('makes all changes in one commit, and sees its own before', async () => {
    const storage = memoryStorage();
    const commits: number[] = [];
    const counted = {
      ...storage,
      commit: (commit: Parameters<typeof storage.commit>[0]) => {
        commits.push(commit.changes.length);
        return storage.commit(commit);
      },
    };
    const files = createFiles(counted);
    await files.write('/old/a', 'a');
    commits.length = 0;
    const seen = await files.batch(async (staged) => {
      await staged.move('/old', '/new');
      await staged.append('/new/a', 'b');
      await staged.append('/new/a', 'c');
      await staged.write('/x/y', 'y');
      await staged.remove('/x', { recursive: true });
      return contentOf(staged);
    });
    expect(seen).toEqual({ '/new': '(directory)', '/new/a': 'abc' });
    expect(await contentOf(files)).toEqual(seen);
    expect(commits).toHaveLength(1);
  });

  it('changes nothing if the work throws', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/a', 'a');
    const work = files.batch(async (staged) => {
      await staged.write('/a', 'b');
      await staged.write('/b', 'b');
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await contentOf(files)).toEqual({ '/a': 'a' });
  });

  it('begins again if others changed what it had looked at', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/count', '1');
    let rounds = 0;
    await files.batch(async (staged) => {
      const { text } = await staged.readText('/count');
      if (++rounds === 1) await files.write('/count', '5');
      await staged.write('/twice', `${Number(text) * 2}`);
    });
    expect(rounds).toBe(2);
    expect(await contentOf(files)).toEqual({ '/count': '5', '/twice': '10' });
  });

  it('begins again if the work throws because of what others changed meanwhile', async () => {
    const state = memoryState();
    const [files, others] = [createFiles(memoryStorage({ state })), createFiles(memoryStorage({ state }))];
    await files.write('/a', 'first');
    let rounds = 0;
    const text = await files.batch(async (staged) => {
      await staged.stat('/a');
      if (++rounds === 1) await others.write('/a', 'second');
      await staged.append('/log', 'read');
      return (await staged.readText('/a')).text;
    });
    expect({ rounds, text }).toEqual({ rounds: 2, text: 'second' });
    expect(await contentOf(files)).toEqual({ '/a': 'second', '/log': 'read' });
  });

  it('believes the first of two looks at a file at the same time', async () => {
    const base = memoryStorage();
    let stats = 0;
    const slow: typeof base = {
      ...base,
      async stat(keys) {
        const found = await base.stat(keys);
        if (keys.some(({ path }) => path === '/a') && ++stats === 2)
          await createFiles(base)
            .write('/a', 'second')
            .then(() => sawFirst);
        return stats === 2 ? base.stat(keys) : found;
      },
    };
    const files = createFiles(base);
    await files.write('/a', 'first');
    const stage = createCommitStage(slow);
    const staged = createFiles(stage.driver);
    const sawFirst = staged.readText('/a');
    const [{ text }] = await Promise.all([sawFirst, staged.stat('/a')]);
    await staged.write('/copy', text);
    expect(await stage.commit(1)).toMatchObject({ ok: false, conflict: { path: '/a' } });
    expect(await contentOf(files)).toEqual({ '/a': 'second' });
  });

  it('says which name is in the way that differs only in case', async () => {
    const files = createFiles(memoryStorage());
    await files.write('/Readme', 'x');
    const work = files.batch((staged) => staged.write('/README', 'y'));
    await expect(work).rejects.toMatchObject({ code: 'EEXIST' });
    await files.batch(async (staged) => {
      await staged.remove('/Readme');
      await staged.write('/other', 'z');
      await expect(staged.write('/OTHER', 'y')).rejects.toMatchObject({ code: 'EEXIST' });
    });
    expect(await contentOf(files)).toEqual({ '/other': 'z' });
  });

  it('lands 100 batches that count in the same file', async () => {
    const state = memoryState();
    const both = [createFiles(memoryStorage({ state })), createFiles(memoryStorage({ state }))];
    await both[0]?.write('/count', '0');
    for (let round = 0; round < 25; round++) {
      await Promise.all(
        both.flatMap((files) =>
          [1, 2].map(() =>
            files.batch(async (staged) => {
              const { text } = await staged.readText('/count');
              await staged.write('/count', `${Number(text) + 1}`);
            }),
          ),
        ),
      );
    }
    expect((await both[0]?.readText('/count'))?.text).toBe('100');
  });
});

describe('createStage', () => {
  it('does with random work what a plain map would, before it is committed and after', async () => {
    const seeds = fc.asyncProperty(fc.nat(), fc.nat(), async (before, seed) => {
      const storage = memoryStorage();
      await checkFiles(createFiles(storage), { seed: before, steps: 15 });
      await createFiles(storage).batch(async (files) => {
        for (const { path } of (await files.list('/')).entries) await files.remove(path, { recursive: true });
      });
      const stage = createCommitStage(storage);
      await checkFiles(createFiles(stage.driver), { seed, steps: 25 });
      const staged = await contentOf(createFiles(stage.driver));
      expect((await stage.commit(1)).ok).toBe(true);
      expect(await contentOf(createFiles(storage))).toEqual(staged);
    });
    await expect(fc.assert(seeds, { numRuns: 60 })).resolves.toBeUndefined();
  });

  it('leaves the same as doing the work at once, over a storage that is not empty', async () => {
    const seeds = fc.asyncProperty(fc.nat(), fc.array(fc.nat(), { maxLength: 20 }), async (seed, picks) => {
      const [direct, staged] = [memoryStorage(), memoryStorage()];
      for (const storage of [direct, staged]) await checkFiles(createFiles(storage), { seed, steps: 20 });
      const stage = createCommitStage(staged);
      for (const [index, pick] of picks.entries()) {
        const outcomes = [createFiles(direct), createFiles(stage.driver)].map((files) =>
          randomCall(files, pick, index).then(() => 'done', String),
        );
        const [one, other] = await Promise.all(outcomes);
        expect(other).toBe(one);
      }
      expect((await stage.commit(1)).ok).toBe(true);
      expect(await contentOf(createFiles(staged))).toEqual(await contentOf(createFiles(direct)));
    });
    await expect(fc.assert(seeds, { numRuns: 100 })).resolves.toBeUndefined();
  });

  it.each([true, false])('is changed with an array only where it copies none: %s', async (copies) => {
    const stage = createCommitStage(memoryStorage(), { copies });
    const content = new Uint8Array([1]);
    const at = { tree: 'files', path: '/a' } as const;
    await stage.driver.commit({ expect: [], changes: [{ type: 'write', ...at, content }], time: 1 });
    content[0] = 2;
    expect((await stage.driver.read(at))?.content[0]).toBe(copies ? 1 : 2);
  });

  it('is committed as durable if one of its changes is, but not for changes with a conflict', async () => {
    const storage = memoryStorage();
    const asked: (boolean | undefined)[] = [];
    const watched: StorageDriver = {
      ...storage,
      commit(commit) {
        asked.push(commit.durable);
        return storage.commit(commit);
      },
    };
    const write = (path: string): StorageChange => ({ tree: 'files', path, type: 'write', content: new Uint8Array(1) });
    for (const [first, second] of [
      ['/a', '/b'],
      ['/a', '/missing/b'],
    ] as const) {
      const stage = createCommitStage(watched);
      await stage.driver.commit({ expect: [], changes: [write(first)], time: 1 });
      await stage.driver.commit({ expect: [], changes: [write(second)], time: 1, durable: true });
      await stage.driver.commit({ expect: [], changes: [write('/c')], time: 1 });
      await stage.commit(1);
    }
    expect(asked).toEqual([true, undefined]);
  });

  it('undoes a commit of several changes whose last one cannot be made', async () => {
    const storage = memoryStorage();
    const stage = createCommitStage(storage);
    const at = (path: string) => ({ tree: 'files', path }) as const;
    const content = new Uint8Array([1]);
    await stage.driver.commit({ expect: [], changes: [{ type: 'write', ...at('/a'), content }], time: 1 });
    const result = await stage.driver.commit({
      expect: [],
      changes: [
        { type: 'write', ...at('/a'), content: new Uint8Array([2]) },
        { type: 'move', ...at('/a'), to: at('/b') },
        { type: 'write', ...at('/c/d'), content },
      ],
      time: 2,
    });
    expect(result).toMatchObject({ ok: false, conflict: at('/c/d') });
    expect((await stage.driver.read(at('/a')))?.content).toEqual(content);
    await stage.commit(3);
    expect((await storage.list({ ...at('/'), depth: 9, limit: 9 })).map(({ path }) => path)).toEqual(['/a']);
  });
});

const places = ['/a', '/b', '/a/b', '/a/c.txt', '/b/a/b', '/é'];

function randomCall(files: Files, pick: number, index: number): Promise<unknown> {
  const path = places[pick % 6] ?? '/a';
  const other = places[(pick >> 4) % 6] ?? '/b';
  const calls = [
    () => files.write(path, `${index}`),
    () => files.append(path, `${index}`),
    () => files.remove(path, { recursive: true }),
    () => files.move(path, other, { overwrite: true }),
    () => files.makeDirectory(path),
    () => files.copy(path, other),
  ];
  return calls[(pick >> 8) % 6]?.() ?? Promise.resolve();
}

describe('a stage', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .map((names) => `/${names.join('/')}`);
  const key = fc.record({ tree: fc.constantFrom('files' as const, 'files' as const, 'records' as const), path });
  const change: fc.Arbitrary<StorageChange> = fc.oneof(
    fc
      .tuple(key, fc.nat(99))
      .map(([at, text]): StorageChange => ({ ...at, type: 'write', content: Uint8Array.of(text) })),
    key.map((at): StorageChange => ({ ...at, type: 'make-directory' })),
    fc.tuple(key, fc.boolean()).map(([at, recursive]): StorageChange => ({ ...at, type: 'remove', recursive })),
    fc.tuple(key, key).map(([at, to]): StorageChange => ({ ...at, type: 'move', to })),
  );
  const commits = fc.array(fc.array(change, { minLength: 1, maxLength: 3 }), { maxLength: 12 });

  it('shows the storage as it would be after any commits', async () => {
    const run = fc.asyncProperty(commits, commits, async (before, staged) => {
      const [plain, base] = [memoryStorage(), memoryStorage()];
      for (const changes of before) for (const driver of [plain, base]) await commitTo(driver, changes);
      const stage = createCommitStage(base);
      for (const changes of staged) {
        expect(await commitTo(stage.driver, changes)).toEqual(await commitTo(plain, changes));
        expect(await allOf(stage.driver)).toEqual(await allOf(plain));
      }
      expect(await stage.commit(1)).toMatchObject({ ok: true });
      expect(await allOf(base)).toEqual(await allOf(plain));
    });
    await expect(fc.assert(run, { numRuns: 200 })).resolves.toBeUndefined();
  });
});

/** Result of a commit, without etags. */
async function commitTo(driver: StorageDriver, changes: readonly StorageChange[]) {
  const result = await driver.commit({ expect: [], changes, time: 1 });
  return result.ok ? result.entries.map(({ kind, path }) => `${kind} ${path}`) : 'in the way';
}

/** Everything in a storage, in pages of three. */
async function allOf(driver: StorageDriver): Promise<readonly string[]> {
  const found: string[] = [];
  for (const tree of ['files', 'records'] as const) {
    for (let after = '/'; ;) {
      const page = await driver.list({ tree, path: '/', depth: 9, limit: 3, after });
      for (const { path, kind } of page) {
        const content = kind === 'file' ? (await driver.read({ tree, path }))?.content : kind;
        found.push(`${tree}${path} ${content?.toString()}`);
      }
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.path;
    }
  }
  return found;
}

describe('quota', () => {
  it('refuses what exceeds it, and nothing is lost', async () => {
    const files = createFiles(memoryStorage(), { quota: { bytes: 10, files: 3 } });
    await files.write('/a', '12345');
    await files.write('/a', '123456');
    const refused = files.batch(async (staged) => {
      await staged.write('/b', '12');
      await staged.write('/c', '123');
    });
    await expect(refused).rejects.toMatchObject({ code: 'EDQUOT' });
    await expect(refused).rejects.toThrow('would take 11 of 10 bytes');
    expect(await contentOf(files)).toEqual({ '/a': '123456' });
    await files.remove('/a');
    await files.write('/b', '1234567890');
    expect(await files.usage()).toEqual({ bytes: 10, files: 1 });
  });

  it('counts files too, and rereads changes of others before it refuses', async () => {
    const state = memoryState();
    const files = createFiles(memoryStorage({ state }), { quota: { files: 2 } });
    await files.write('/d/a', '');
    await createFiles(memoryStorage({ state })).write('/d/b', '');
    await files.write('/d/b', 'not new');
    await files.remove('/d/a');
    await files.write('/d/c', '');
    await expect(files.write('/d/e', '')).rejects.toThrow('There would be 3 of 2 files.');
  });

  it('holds for what is written at the same time', async () => {
    const memory = memoryStorage();
    const slow: typeof memory = {
      ...memory,
      async commit(commit) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        return memory.commit(commit);
      },
    };
    const files = createFiles(slow, { quota: { files: 5, bytes: 1000 } });
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`);
    for (let round = 0; round < 3; round++) {
      const written = await Promise.allSettled(paths.map((path) => files.write(path, `round ${round}`)));
      expect(written.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      expect(await files.usage()).toMatchObject({ files: 5 });
      for (const { path } of (await files.list('/')).entries) await files.remove(path);
    }
  });

  it('counts again where the clock was put back', async () => {
    const state = memoryState();
    let time = 10_000_000;
    const files = createFiles(memoryStorage({ state }), { quota: { files: 2 }, now: () => time });
    await files.write('/a', '');
    await createFiles(memoryStorage({ state })).write('/b', '');
    time = 1000;
    await expect(files.write('/c', '')).rejects.toMatchObject({ code: 'EDQUOT' });
  });

  it('is kept through moves and batches that fail', async () => {
    const files = createFiles(memoryStorage(), { quota: { files: 3 } });
    await files.write('/d/a', 'a');
    await files.write('/d/b', 'b');
    const failed = files.batch(async (staged) => {
      await staged.move('/d', '/e');
      for (const name of ['x', 'y', 'z']) await staged.write(`/e/${name}`, name);
    });
    await expect(failed).rejects.toMatchObject({ code: 'EDQUOT' });
    expect(await contentOf(files)).toEqual({ '/d': '(directory)', '/d/a': 'a', '/d/b': 'b' });
    await files.move('/d', '/e');
    await files.copy('/e/a', '/c');
    await expect(files.copy('/e/a', '/f')).rejects.toMatchObject({ code: 'EDQUOT' });
  });
});

it('begins a batch again at once if what it has looked up does not fit together', async () => {
  const memory = memoryStorage();
  await createFiles(memory).write('/d/e/text.md', 'old');
  let looks = 0;
  const torn: StorageDriver = {
    ...memory,
    // Another program has moved the directory away and back, just as it was looked up.
    stat: async (keys) => {
      const found = await memory.stat(keys);
      return looks++ === 0 ? found.map((entry) => (entry?.path === '/d' ? undefined : entry)) : found;
    },
  };
  await createFiles(torn).batch((all) => all.write('/d/e/text.md', 'new'));
  expect((await createFiles(memory).readText('/d/e/text.md')).text).toBe('new');
  expect(looks).toBeLessThan(20);
});
