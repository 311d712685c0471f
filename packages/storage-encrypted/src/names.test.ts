import { foldCase } from '@utensil/core/files';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBase32, toBase32 } from './base32.ts';
import { deriveKeys } from './key.ts';
import { encryptedNames } from './names.ts';

const keys = await deriveKeys(new Uint8Array(32).fill(1), new Uint8Array(32));
const noSide = async (): Promise<undefined> => undefined;

const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 120 })
  .map((text) => text.normalize('NFC').replaceAll(/[\0/]/g, '-'))
  .filter((text) => new TextEncoder().encode(text).length <= 255);

describe('an encrypted name', () => {
  it('can be read by who has the key, and looked up again', async () => {
    const property = fc.asyncProperty(name, async (name) => {
      const stored = await encryptedNames(keys).toStored(name);
      expect(await encryptedNames(keys).toStored(name)).toEqual(stored);
      const readSide = async (wanted: string) => (wanted === stored.side?.name ? stored.side.content : undefined);
      expect(await encryptedNames(keys).fromStored(stored.name, readSide)).toBe(name);
      for (const each of [stored.name, stored.marker, stored.side?.name ?? 'k'])
        expect(each).toMatch(/^[eflk][a-z2-7]{0,231}$/);
    });
    await expect(fc.assert(property, { numRuns: 200 })).resolves.toBeUndefined();
  });

  it.each([1, 16, 17, 128, 129, 255])('of %i bytes is one that every disk takes', async (length) => {
    const stored = await encryptedNames(keys).toStored('x'.repeat(length));
    expect([stored.name.length <= 232, stored.side !== undefined]).toEqual([true, length > 128]);
    const readSide = async () => stored.side?.content;
    expect(await encryptedNames(keys).fromStored(stored.name, readSide)).toBe('x'.repeat(length));
  });

  it.each(['\uFEFFa', 'a\uFEFF', ' ', '👩‍💻', 'e\u0301'])('may be %o', async (name) => {
    const stored = await encryptedNames(keys).toStored(name);
    expect(await encryptedNames(keys).fromStored(stored.name, noSide)).toBe(name);
  });

  it('has its marker in common with those that differ only in case, and nothing else', async () => {
    const names = encryptedNames(keys);
    const [one, two, other] = await Promise.all(['Été', 'éTÉ', 'Ete'].map((each) => names.toStored(each)));
    expect([foldCase('Été') === foldCase('éTÉ'), one?.marker === two?.marker, one?.name === two?.name]).toEqual([
      true,
      true,
      false,
    ]);
    expect(one?.marker).not.toBe(other?.marker);
  });

  it('is none when any of it was changed', async () => {
    const { name } = await encryptedNames(keys).toStored('notes.md');
    const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
    for (const index of name.slice(1).split('').keys()) {
      const next = alphabet[(alphabet.indexOf(name.charAt(index + 1)) + 1) % 32] ?? '';
      const changed = name.slice(0, index + 1) + next + name.slice(index + 2);
      expect([changed, await encryptedNames(keys).fromStored(changed, noSide)]).toEqual([changed, undefined]);
    }
    for (const changed of [name.toUpperCase(), `${name}a`, name.slice(0, -1), name.slice(1), 'e', '', 'notes.md']) {
      expect(await encryptedNames(keys).fromStored(changed, noSide)).toBeUndefined();
    }
  });

  it('is none when the file that holds it is gone, or another', async () => {
    const names = encryptedNames(keys);
    const [one, two] = await Promise.all(['a', 'b'].map((each) => names.toStored(each.repeat(200))));
    const fresh = encryptedNames(keys);
    for (const content of [
      undefined,
      two?.side?.content,
      new Uint8Array(),
      one?.side?.content.map((byte) => byte ^ 1),
    ]) {
      expect(await fresh.fromStored(one?.name ?? '', async () => content)).toBeUndefined();
    }
    expect(await fresh.fromStored(one?.name ?? '', async () => one?.side?.content)).toBe('a'.repeat(200));
  });

  it('is another in a storage with another salt', async () => {
    const others = encryptedNames(await deriveKeys(new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)));
    const [one, two] = [await encryptedNames(keys).toStored('a'), await others.toStored('a')];
    expect([one.name === two.name, one.marker === two.marker]).toEqual([false, false]);
    expect(await others.fromStored(one.name, noSide)).toBeUndefined();
  });
});

describe('base32', () => {
  it('comes back unchanged, and has one text for the same bytes', () => {
    const property = fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect([...(fromBase32(toBase32(bytes)) ?? [-1])]).toEqual([...bytes]);
    });
    fc.assert(property, { numRuns: 200 });
    expect([fromBase32('ab'), fromBase32('aa'), fromBase32('a'), fromBase32('a1'), toBase32(Uint8Array.of(0))]).toEqual(
      [undefined, Uint8Array.of(0), undefined, undefined, 'aa'],
    );
  });

  it('is that of RFC 4648, in small letters and without padding', () => {
    const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
    const encoded = texts.map((text) => toBase32(new TextEncoder().encode(text)));
    expect(encoded).toEqual(['', 'my', 'mzxq', 'mzxw6', 'mzxw6yq', 'mzxw6ytb', 'mzxw6ytboi']);
  });
});
