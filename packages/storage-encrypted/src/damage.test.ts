// A damaged content must not affect any other entry.

import { messagesOf, createFiles, createRecords, isUtensilError, openThread } from '@utensil/core';
import { listThreads } from '@utensil/core/thread';
import { fileError, searchFiles } from '@utensil/core/files';
import type { Message } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { alter, bytesAt, contentBy, damageable, damages, key, overwrite } from './test-kit/damage.ts';
import { encryptedStorage } from './encrypted.ts';

/** Opens the same memory each time. */
function memory(): () => StorageDriver {
  const state = memoryState();
  return () => memoryStorage({ state });
}

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'nothing',
    (error: unknown) => (isUtensilError(error) ? error.code : `no UtensilError: ${String(error)}`),
  );

/** Ids whose names are short, long enough for a file of their own, and in several directories. */
const ids = ['short', 'L'.repeat(60), 'é'.repeat(120)];

describe.each(['encrypted', 'plain'] as const)('with %s names', (names) => {
  describe.each(Object.entries(damages))('a record with %s', (_, damage) => {
    it.each(ids)('is reported for itself alone, and makes way once it is set aside: %s', async (id) => {
      const { inner, driver, reopen } = await damageable(memory(), names);
      const records = createRecords(driver, { now: () => 5 });
      await records.put(['log', 'a'], 'first');
      const at = await contentBy(inner, () => records.put(['log', id], 'second'));
      await records.put(['log', 'z'], 'third');
      const harmed = damage(await bytesAt(inner, at));
      await overwrite(inner, at, harmed);

      const again = createRecords(reopen(), { now: () => 5 });
      expect(await listed(again)).toEqual(['first', 'record_corrupt', 'third'].sort());
      expect(await codeOf(again.get(['log', id]))).toBe('record_corrupt');
      expect(await codeOf(again.put(['log', id], 'new'))).toBe('record_corrupt');
      expect(await codeOf(again.put(['log', id], 'new', { ifMatch: null }))).toBe('record_corrupt');
      expect(await bytesAt(inner, at)).toEqual(harmed);

      const moved = await contentBy(inner, async () => {
        expect(await again.setAside(['log', id])).toContain('corrupt-5');
      });
      expect(await bytesAt(inner, moved)).toEqual(harmed);
      expect(await again.get(['log', id])).toBeUndefined();
      expect(await listed(again)).toEqual(['first', 'third']);
      await again.put(['log', id], 'new');
      expect(await listed(createRecords(reopen()))).toEqual(['first', 'new', 'third']);

      await overwrite(inner, at, damage(await bytesAt(inner, at)));
      expect(await again.setAside(['log', id])).toContain('corrupt-5-1');
      await again.put(['log', id], 'newer');
      await again.remove(['log', id]);
      expect(await listed(again)).toEqual(['first', 'third']);
    });
  });

  it('a thread goes on without its damaged message, entry and summary', async () => {
    const { inner, driver, reopen } = await damageable(memory(), names);
    const thread = openThread(createRecords(driver), 't');
    await thread.append([{ type: 'message', message: message('1') }]);
    const harmed = [
      await contentBy(inner, () => thread.append([{ type: 'message', message: message('2') }])),
      await contentBy(inner, () => thread.append([{ ...call, callId: 'lost' }])),
    ];
    await thread.append([{ type: 'message', message: message('3') }]);
    await thread.append([call]);
    const records = createRecords(reopen());
    const summary = await contentBy(inner, () => records.put(['threads', 't'], { id: 't', title: 'T', createdAt: 1 }));
    for (const at of [...harmed, summary]) await overwrite(inner, at, (await bytesAt(inner, at)).slice(0, -1));

    const problems: string[] = [];
    const again = openThread(records, 't', { warn: ({ code }) => problems.push(code) });
    expect((await messagesOf(again)).map(({ id }) => id)).toEqual(['1', '3']);
    const { entries } = await again.read();
    expect(entries.map(({ entry }) => entry).filter(({ type }) => type === 'call-begun')).toEqual([call]);
    expect(await listThreads(records)).toMatchObject([{ title: '(unreadable)' }]);
    await again.append([{ type: 'message', message: message('4') }]);
    expect((await messagesOf(again)).map(({ id }) => id)).toEqual(['1', '3', '4']);
    expect(await listThreads(records)).toMatchObject([{ title: 'Message 1' }]);
    expect(new Set(problems)).toEqual(new Set(['record_corrupt']));
  });

  it('a failing storage is not damage: its error is passed on, and nothing is set aside', async () => {
    const { inner, driver } = await damageable(memory(), names);
    const at = await contentBy(inner, () => createRecords(driver).put(['log', 'a'], 'kept'));
    let fails = false;
    const failing: StorageDriver = {
      ...inner,
      async read(wanted, range) {
        if (fails && wanted.path === at.path) throw fileError('EIO', wanted.path, { hint: 'The disk failed.' });
        return inner.read(wanted, range);
      },
    };
    const records = createRecords(encryptedStorage(failing, key));
    await records.get(['log', 'b']);
    fails = true;
    const calls = [
      () => records.get(['log', 'a']),
      () => records.put(['log', 'a'], 'new'),
      () => records.setAside(['log', 'a']),
      () => listed(records),
    ];
    for (const each of calls) expect(await codeOf(each())).toBe('EIO');
    fails = false;
    expect(await listed(records)).toEqual(['kept']);
  });

  describe.each(Object.entries(damages))('a file with %s', (_, damage) => {
    it.each(['short', 'l'.repeat(200)])(
      'is lost alone, and can be written over, moved and removed: %s',
      async (name) => {
        const { inner, driver, reopen } = await damageable(memory(), names);
        const path = `/d/${name}`;
        await createFiles(driver).write('/d/other', 'needle');
        const at = await contentBy(inner, () => createFiles(driver).write(path, 'needle in it'));
        const good = await bytesAt(inner, at);
        const harm = async (): Promise<void> => overwrite(inner, at, damage(good));
        const files = createFiles(reopen());

        await harm();
        expect((await files.list('/', { depth: 9 })).entries.map((each) => each.path)).toEqual(
          ['/d', '/d/other', path].sort(),
        );
        expect(await files.stat(path)).toMatchObject({ path, kind: 'file' });
        expect((await files.readText('/d/other')).text).toBe('needle');
        const edit = { oldText: 'n', newText: 'm' };
        for (const each of [() => files.read(path), () => files.append(path, 'x'), () => files.edit(path, edit)]) {
          await expect(each()).rejects.toMatchObject({ code: 'content_damaged', path });
        }
        expect(await found(searchFiles(files, { text: 'needle' }))).toEqual(['hit /d/other', `skipped ${path}`].sort());

        for (const content of ['needle in it', '', 'x'.repeat(99)]) {
          await harm();
          await files.write(path, content);
          expect((await files.readText(path)).text).toBe(content);
        }
        await harm();
        await files.copy('/d/other', path, { overwrite: true });
        expect((await files.readText(path)).text).toBe('needle');
        await harm();
        await files.move('/d/other', path, { overwrite: true });
        expect((await files.readText(path)).text).toBe('needle');
        await harm();
        await files.move(path, '/d/Aside');
        expect(await codeOf(files.read('/d/Aside'))).toBe('content_damaged');
        await files.remove('/d/Aside');
        expect((await files.list('/', { depth: 9 })).entries.map((each) => each.path)).toEqual(['/d']);
      },
    );
  });

  it('a damaged file goes with its directory, wherever that goes', async () => {
    const { inner, driver } = await damageable(memory(), names);
    const files = createFiles(driver);
    await files.write('/d/good', 'good');
    const at = await contentBy(inner, () => files.write('/d/bad', 'bad'));
    await overwrite(inner, at, new Uint8Array(3));
    await files.move('/d', '/e');
    expect((await files.readText('/e/good')).text).toBe('good');
    expect(await codeOf(files.read('/e/bad'))).toBe('content_damaged');
    await files.remove('/e', { recursive: true });
    expect((await files.list('/')).entries).toEqual([]);
  });

  it('a file in place of a directory is a damaged file, and a directory in place of a file is a directory', async () => {
    const { inner, driver } = await damageable(memory(), names);
    const files = createFiles(driver);
    const at = await contentBy(inner, () => files.write('/d/a', 'a'));
    await files.write('/b', 'b');
    const directory = { tree: 'files', path: at.path.slice(0, at.path.lastIndexOf('/')) } as const;
    await alter(inner, { ...at, type: 'remove' }, { ...at, type: 'make-directory' });
    expect(await codeOf(files.read('/d/a'))).toBe('EISDIR');
    expect((await files.readText('/b')).text).toBe('b');
    await files.remove('/d/a', { recursive: true });
    await files.write('/d/a', 'again');

    await alter(inner, { ...directory, type: 'remove', recursive: true });
    await overwrite(inner, directory, new TextEncoder().encode('a file'));
    expect((await files.list('/', { depth: 9 })).entries.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'file /b',
      'file /d',
    ]);
    expect(await codeOf(files.read('/d'))).toBe('content_damaged');
    expect(await codeOf(files.write('/d/a', 'x'))).toBe('ENOTDIR');
    await files.remove('/d');
    await files.write('/d/a', 'again');
    expect((await files.readText('/d/a')).text).toBe('again');
  });
});

async function listed(records: ReturnType<typeof createRecords>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const record of records.list(['log']))
    found.push('problem' in record ? record.problem.code : String(record.value));
  return found.sort();
}

async function found(results: ReturnType<typeof searchFiles>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const result of results) all.push('path' in result ? `${result.type} ${result.path}` : result.type);
  return all.sort();
}

const message = (id: string): Message => ({
  id,
  role: 'user',
  parts: [{ type: 'text', text: `Message ${id}` }],
  createdAt: Number(id),
});

const call = { type: 'call-begun', callId: 'c', runId: 'r', time: 1 } as const;
