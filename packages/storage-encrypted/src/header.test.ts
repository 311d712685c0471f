import { createFiles, messageOf } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { encryptedStorage } from './encrypted.ts';
import { headerKeys } from './header.ts';
import { deriveKey } from './key.ts';
import type { StorageKey } from './key.ts';

const key = new Uint8Array(32).fill(7);
const failureOf = async (call: Promise<unknown>): Promise<string> => call.then(() => 'nothing', messageOf);
const at = { tree: 'files', path: '/a' } as const;

/** Error of each method of a driver. */
const eachFailure = async (driver: StorageDriver): Promise<readonly string[]> => [
  await failureOf(driver.stat([at])),
  await failureOf(driver.list({ ...at, path: '/', depth: 1, limit: 9 })),
  await failureOf(driver.read(at)),
  await failureOf(
    driver.commit({ expect: [], changes: [{ ...at, type: 'write', content: new Uint8Array() }], time: 1 }),
  ),
];

/** The header of a storage; both copies are the same. */
async function headerOf(driver: StorageDriver): Promise<string> {
  const copies = await Promise.all(headerKeys.map((each) => driver.read(each)));
  const [one, two] = copies.map((copy) => new TextDecoder().decode(copy?.content));
  expect(one).toBe(two);
  return one ?? '';
}

/** Gives a storage another header, in both copies. */
async function setHeader(driver: StorageDriver, text: string | undefined): Promise<void> {
  const content = new TextEncoder().encode(text);
  const changes = headerKeys.map((each) =>
    text === undefined ? ({ ...each, type: 'remove' } as const) : ({ ...each, type: 'write', content } as const),
  );
  await driver.commit({ expect: [], changes, time: 1 });
}

/** A storage with one file, as it is stored. */
async function begun(): Promise<StorageDriver> {
  const inner = memoryStorage();
  await createFiles(encryptedStorage(inner, key)).write('/a', 'a');
  return inner;
}

describe('the header', () => {
  it('is written with the first commit, and not before', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    expect(await driver.stat([{ tree: 'files', path: '/' }, at])).toMatchObject([{ kind: 'directory' }, undefined]);
    expect(await driver.list({ ...at, path: '/', depth: 9, limit: 9 })).toEqual([]);
    expect(await driver.read(at)).toBeUndefined();
    expect(await inner.stat(headerKeys)).toEqual([undefined, undefined]);
    await createFiles(driver).write('/a', 'a');
    expect(JSON.parse(await headerOf(inner))).toMatchObject({
      format: 'utensil-encrypted',
      version: 1,
      names: 'encrypted',
    });
  });

  it('is the same for all that begin at once', async () => {
    const state = memoryState();
    const open = () => createFiles(encryptedStorage(memoryStorage({ state }), key));
    await Promise.all(Array.from({ length: 8 }, (_, index) => open().write(`/${index}`, 'x')));
    expect((await open().list('/')).entries).toHaveLength(8);
    expect((await open().readText('/7')).text).toBe('x');
  });

  it('keeps another key from reading and from writing anything', async () => {
    const inner = await begun();
    const before = await headerOf(inner);
    const failures = await eachFailure(encryptedStorage(inner, new Uint8Array(32).fill(8)));
    const words = "EACCES: permission denied, '/'. The key is not the one of this storage, or its header was altered.";
    expect(failures.map((each) => each.replace("'/a'", "'/'"))).toEqual(Array(4).fill(words));
    expect(await headerOf(inner)).toBe(before);
    expect((await createFiles(encryptedStorage(inner, key)).readText('/a')).text).toBe('a');
  });

  it('prevents the use of a storage if it is missing, or if there is other content already', async () => {
    const inner = await begun();
    await setHeader(inner, undefined);
    for (const failure of await eachFailure(encryptedStorage(inner, key)))
      expect(failure).toMatch(/^EIO: .*unencrypted/);
    const plain = memoryStorage();
    await createFiles(plain).write('/mine', 'mine');
    for (const failure of await eachFailure(encryptedStorage(plain, key)))
      expect(failure).toMatch(/^EIO: .*unencrypted/);
    expect((await createFiles(plain).readText('/mine')).text).toBe('mine');
    expect(await plain.stat(headerKeys)).toEqual([undefined, undefined]);
  });

  it('is an error if it was changed', async () => {
    const inner = await begun();
    const good = await headerOf(inner);
    const { salt, checksum, ...others } = JSON.parse(good) as { salt: string; checksum: string };
    expect(checksum).toHaveLength(52);
    const swapped = salt.startsWith('a') ? `b${salt.slice(1)}` : `a${salt.slice(1)}`;
    const changes: Readonly<Record<string, RegExp>> = {
      '': /^EIO: .*damaged/,
      '{"format"': /^EIO: .*damaged/,
      null: /^EIO: .*damaged/,
      '{"format":"other"}': /^EIO: .*damaged/,
      [JSON.stringify({ ...others, salt: 'short' })]: /^EIO: .*damaged/,
      [good.replace('"version":1', '"version":2')]: /^EIO: .*damaged/,
      [JSON.stringify({ ...others, salt: swapped })]: /^EACCES: .*key/, // of an older version, which had no checksum
      [JSON.stringify({ ...others, salt: swapped, checksum })]: /^EIO: .*damaged/,
      [good.replace('"names":"encrypted"', '"names":"plain"')]: /^EIO: .*damaged/,
      [good.replace('"names":"encrypted"', '"names":"secret"')]: /^EIO: .*damaged/,
    };
    for (const [text, expected] of Object.entries(changes)) {
      await setHeader(inner, text);
      for (const failure of await eachFailure(encryptedStorage(inner, key)))
        expect([text, failure]).toEqual([text, expect.stringMatching(expected)]);
    }
    await setHeader(inner, good);
    expect((await createFiles(encryptedStorage(inner, key)).readText('/a')).text).toBe('a');
  });

  it('settles the policy for names', async () => {
    const inner = memoryStorage();
    await createFiles(encryptedStorage(inner, key, { names: 'plain' })).write('/a', 'a');
    expect((await createFiles(encryptedStorage(inner, key)).readText('/a')).text).toBe('a');
    for (const failure of await eachFailure(encryptedStorage(inner, key, { names: 'encrypted' }))) {
      expect(failure).toMatch(/^EINVAL: .*names in this storage are plain/);
    }
  });
});

describe('a key', () => {
  const aes = (length: number, usages: KeyUsage[] = ['encrypt', 'decrypt']) =>
    crypto.subtle.generateKey({ name: 'AES-GCM', length }, false, usages);
  const hkdf = (usages: KeyUsage[]) => crypto.subtle.importKey('raw', key, 'HKDF', false, usages);

  it('may be bytes, one for HKDF, one for AES-GCM, or from a passphrase', async () => {
    const salt = new Uint8Array(16).fill(3);
    const keys: readonly StorageKey[] = [
      key,
      await hkdf(['deriveBits']),
      await aes(256),
      await aes(256),
      await deriveKey('correct horse', salt),
    ];
    for (const each of keys) {
      const inner = memoryStorage();
      await createFiles(encryptedStorage(inner, each)).write('/a', 'a');
      expect((await createFiles(encryptedStorage(inner, each)).readText('/a')).text).toBe('a');
      for (const other of keys.filter(
        (other) => other !== each && !(keys.indexOf(other) < 2 && keys.indexOf(each) < 2),
      )) {
        expect(await failureOf(encryptedStorage(inner, other).read(at))).toMatch(/^EACCES: /);
      }
    }
  });

  it('from bytes and for HKDF is the same, and nobody changes it by changing the bytes', async () => {
    const inner = memoryStorage();
    const bytes = key.slice();
    const driver = encryptedStorage(inner, bytes);
    bytes.fill(0);
    await createFiles(driver).write('/a', 'a');
    const again = encryptedStorage(inner, await hkdf(['deriveBits', 'deriveKey']));
    expect((await createFiles(again).readText('/a')).text).toBe('a');
  });

  it.each([
    ['is too short', async () => new Uint8Array(16)],
    ['is for AES with 128 bits', () => aes(128)],
    ['cannot encrypt', () => aes(256, ['decrypt'])],
    ['derives keys only', () => hkdf(['deriveKey'])],
    ['is none', async () => undefined as unknown as Uint8Array],
    ['is a passphrase', async () => 'secret' as unknown as Uint8Array],
  ] as const)('that %s is refused at once', async (_, make) => {
    const refused = await make();
    expect(() => encryptedStorage(memoryStorage(), refused)).toThrow(/^EINVAL: /);
  });

  it('is the same for a passphrase however it was typed, and another with any other salt, passphrase or count', async () => {
    const inner = memoryStorage();
    const salt = new Uint8Array(16).fill(3);
    await createFiles(encryptedStorage(inner, await deriveKey('pass\u00e9', salt))).write('/a', 'a');
    const read = async (key: CryptoKey) => failureOf(encryptedStorage(inner, key).read(at));
    expect(await read(await deriveKey('passe\u0301', salt))).toBe('nothing');
    expect(await read(await deriveKey('Pass\u00e9', salt))).toMatch(/^EACCES: /);
    expect(await read(await deriveKey('pass\u00e9', new Uint8Array(16)))).toMatch(/^EACCES: /);
    expect(await read(await deriveKey('pass\u00e9', salt, { iterations: 600_001 }))).toMatch(/^EACCES: /);
  });

  it('is not derived in a way that is easily guessed', async () => {
    const salt = new Uint8Array(16);
    expect(await failureOf(deriveKey('', salt))).toMatch(/^EINVAL: .*empty/);
    expect(await failureOf(deriveKey('secret', new Uint8Array(8)))).toMatch(/^EINVAL: .*salt/);
    for (const iterations of [1, 599_999, Number.NaN, 600_000.5]) {
      expect(await failureOf(deriveKey('secret', salt, { iterations }))).toMatch(/^EINVAL: .*600000/);
    }
  });
});
