import { createFiles, isUtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlayStorage } from './overlay.ts';

const cutOfOne = '/.overlay/files/d/one';

/** An overlay that has changed, removed and moved files of the lower storage, and created one. */
async function create() {
  const [lower, upper] = [memoryStorage(), memoryStorage()];
  const below = createFiles(lower);
  for (const path of ['/d/one', '/d/two', '/removed', '/moved', '/untouched']) await below.write(path, 'below');
  const overlay = overlayStorage(lower, upper);
  const files = createFiles(overlay);
  await files.write('/d/one', 'changed');
  await files.remove('/removed');
  await files.move('/moved', '/elsewhere');
  await files.write('/new', 'new');
  return { lower, upper, below, overlay, files };
}

async function store(driver: StorageDriver, path: string, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const changes = [{ type: 'write', tree: 'records', path, content: bytes } as const];
  expect(await driver.commit({ expect: [], changes, time: 1 })).toMatchObject({ ok: true });
}

async function everythingIn(driver: StorageDriver): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const tree of ['files', 'records'] as const) {
    for (const { path, kind } of await driver.list({ tree, path: '/', depth: 99, limit: 1000 })) {
      texts[tree + path] =
        kind === 'file' ? new TextDecoder().decode((await driver.read({ tree, path }))?.content) : kind;
    }
  }
  return texts;
}

const staged = {
  'files/d': 'directory',
  'files/d/one': 'changed',
  'files/d/two': 'below',
  'files/elsewhere': 'below',
  'files/new': 'new',
  'files/untouched': 'below',
};

const hostileBases = [
  '',
  '{',
  'null',
  '{}',
  '[]',
  '7',
  '"/d/one"',
  '[null]',
  '[["/d/one"]]',
  '[["/d/one",7]]',
  '[["/d/one","1","2"]]',
  '[[7,"1"]]',
  '[["/d/two","1"]]',
  '[["/d/one","1"],["/elsewhere","1"]]',
  '[["/d/one","1"],["/d/one/../../x","1"]]',
  '[["/d/one","1"],["../x","1"]]',
  '[["/d/one","1"],["/d/one/","1"]]',
  '[["/d/one","1"],["/d/one/\\u0000","1"]]',
  '[["__proto__","1"]]',
  '{"__proto__":[["/d/one","1"]]}',
  '{"version":2,"entries":[["/d/one","1"]]}',
  '[["/d/one","1"]]\n00000000\n',
  '[["/d/one","1"',
  '['.repeat(40),
];

describe('a ledger with a damaged record', () => {
  it.each(hostileBases)('loses nothing, accepts nothing and can be discarded (%j)', async (content) => {
    const { lower, upper, overlay, files } = await create();
    const before = await everythingIn(lower);
    await store(upper, cutOfOne, content);
    for (const opened of [overlay, overlayStorage(lower, upper)]) {
      expect(await everythingIn(opened)).toEqual(staged);
      for (const call of [() => opened.changes(), () => opened.accept({ time: 1 })]) {
        const error: unknown = await call().catch((thrown: unknown) => thrown);
        expect(isUtensilError(error, 'EIO')).toBe(true);
        expect(String(error)).toContain("The overlay's record of '/d/one' is damaged");
        expect(String(error)).not.toContain('.overlay');
      }
    }
    await files.write('/d/one', 'changed again');
    await files.write('/later', 'later');
    expect(await everythingIn(overlay)).toEqual({ ...staged, 'files/d/one': 'changed again', 'files/later': 'later' });
    expect(await everythingIn(lower)).toEqual(before);
    await overlay.discard({ time: 1 });
    expect(await everythingIn(overlay)).toEqual(before);
    await files.write('/d/one', 'after it');
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    expect(await everythingIn(lower)).toEqual({ ...before, 'files/d/one': 'after it' });
  });

  it('keeps the record of unknown entries if a directory above them is removed', async () => {
    const { lower, upper, overlay, files } = await create();
    const before = await everythingIn(lower);
    await store(upper, cutOfOne, '{');
    await files.remove('/d', { recursive: true });
    await files.write('/d/new', 'in its place');
    expect(await files.stat('/d/one')).toBeUndefined();
    expect((await files.readText('/d/new')).text).toBe('in its place');
    await expect(overlay.accept({ time: 1 })).rejects.toThrow("'/d/one'");
    expect(await everythingIn(lower)).toEqual(before);
  });

  it('treats a record that the storage cannot read as damaged', async () => {
    const { lower, upper } = await create();
    const read: StorageDriver['read'] = async (key, range) => {
      if (key.path.startsWith('/.overlay/')) throw fileError('content_damaged', key.path, { hint: 'It was altered.' });
      return upper.read(key, range);
    };
    const overlay = overlayStorage(lower, { ...upper, read });
    expect(await everythingIn(overlay)).toEqual(staged);
    await expect(overlay.accept({ time: 1 })).rejects.toThrow("EIO: input or output failed, '/d/one'");
    await createFiles(overlay).write('/later', 'later');
    await overlay.discard({ time: 1 });
    expect(await everythingIn(overlay)).toEqual(await everythingIn(lower));
  });

  it('accepts changes of an overlay from before records had checksums', async () => {
    const { lower, upper, overlay } = await create();
    const found = await upper.read({ tree: 'records', path: cutOfOne });
    await store(upper, cutOfOne, new TextDecoder().decode(found?.content).split('\n')[0] ?? '');
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    expect(await everythingIn(lower)).toEqual(staged);
  });

  it.each(['', 'x', '-1 5', '1e999', '9'.repeat(400), 'null', '\u0000', '12'])(
    'uses its version only to detect changes (%j)',
    async (content) => {
      const { lower, upper, overlay, files } = await create();
      await store(upper, '/.overlay/version', content);
      expect(await everythingIn(overlay)).toEqual(staged);
      for (let index = 0; index < 3; index++) {
        await files.write('/d/one', `changed ${index}`);
        expect(await everythingIn(overlayStorage(lower, upper))).toEqual({
          ...staged,
          'files/d/one': `changed ${index}`,
        });
      }
      expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
      expect(await everythingIn(lower)).toEqual({ ...staged, 'files/d/one': 'changed 2' });
    },
  );

  it('throws EIO if a directory is in place of its version, and leaves the lower storage alone', async () => {
    const { lower, upper } = await create();
    const key = { tree: 'records', path: '/.overlay/version' } as const;
    const changes = [{ type: 'remove', ...key } as const, { type: 'make-directory', ...key } as const];
    await upper.commit({ expect: [], changes, time: 1 });
    const overlay = overlayStorage(lower, upper);
    const files = createFiles(overlay);
    const calls = [
      () => files.stat('/untouched'),
      () => files.list('/'),
      () => files.write('/a', 'a'),
      () => overlay.changes(),
      () => overlay.accept({ time: 1 }),
      () => overlay.discard({ time: 1 }),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'EIO', path: '/' });
    expect((await createFiles(lower).readText('/d/one')).text).toBe('below');
  });

  it('ignores records that it did not write', async () => {
    const { lower, upper, overlay } = await create();
    for (const path of ['/.overlay/note', '/.overlay/filesystem', '/.overlay/recordsx']) await store(upper, path, 'x');
    const opened = overlayStorage(lower, upper);
    expect(await everythingIn(opened)).toEqual(staged);
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    expect(await everythingIn(lower)).toEqual(staged);
  });

  it('throws only its own errors for arbitrary records, and accepts only intended changes', async () => {
    const edits = fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    const property = fc.asyncProperty(fc.nat(), edits, async (which, changes) => {
      const { lower, upper, overlay } = await create();
      const before = await everythingIn(lower);
      const records = await upper.list({ tree: 'records', path: '/.overlay', depth: 99, limit: 99 });
      const paths = records.filter(({ kind }) => kind === 'file').map(({ path }) => path);
      const path = paths[which % paths.length] ?? '';
      let content = (await upper.read({ tree: 'records', path }))?.content ?? new Uint8Array();
      for (const { at, byte, cut } of changes) {
        if (cut) content = content.slice(0, at % (content.length + 1));
        else content[at % Math.max(1, content.length)] = byte;
      }
      await store(upper, path, content);
      expect(await everythingIn(overlay)).toEqual(staged);
      const outcome = await overlay.accept({ time: 1 }).catch((thrown: unknown) => thrown);
      const answer = typeof outcome === 'object' && outcome !== null && 'ok' in outcome ? outcome.ok : undefined;
      const isAccepted = answer === true;
      // Without a checksum, as in earlier versions, an altered etag is a conflict.
      expect(isAccepted || answer === false || isUtensilError(outcome, 'EIO')).toBe(true);
      expect(await everythingIn(lower)).toEqual(isAccepted ? staged : before);
    });
    await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
  });
});
