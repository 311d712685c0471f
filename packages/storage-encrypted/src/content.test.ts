import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkBytes, headBytes, offsetOf, plainSize, seal, storedSize, unseal, windowOf } from './content.ts';
import { deriveKeys } from './key.ts';

const { content: secret } = await deriveKeys(new Uint8Array(32).fill(1), new Uint8Array(32));

const size = fc.oneof(
  fc.nat(40),
  fc.constantFrom(-1, 0, 1).chain((off) => fc.integer({ min: 1, max: 3 }).map((count) => count * chunkBytes + off)),
);

const bytesOf = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => (index * 31) % 251);

/** Decrypts a whole stored content, like a reader. */
async function open(stored: Uint8Array, range = { start: 0, end: Infinity }): Promise<Uint8Array | undefined> {
  const size = plainSize(stored.length);
  if (size === undefined) return undefined;
  const window = windowOf(size, range);
  const head = stored.slice(0, headBytes);
  const body = stored.slice(offsetOf(window.first), offsetOf(window.last + 1));
  return unseal(secret, { head, body, size, ...window });
}

const concat = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const chunk = (stored: Uint8Array, index: number): Uint8Array => stored.slice(offsetOf(index), offsetOf(index + 1));
const head = (stored: Uint8Array): Uint8Array => stored.slice(0, headBytes);

describe('a content', () => {
  it('comes back unchanged, whole and in ranges, and takes as much room as was said', async () => {
    const property = fc.asyncProperty(size, fc.nat(), fc.nat(), async (size, from, length) => {
      const content = bytesOf(size);
      const stored = await seal(secret, content);
      expect([stored.length, plainSize(stored.length)]).toEqual([storedSize(size), size]);
      expect(Buffer.compare((await open(stored)) ?? new Uint8Array(1), content)).toBe(0);
      const range = { start: from % (size + 2), end: (from % (size + 2)) + (length % (size + 2)) };
      const { first, last } = windowOf(size, range);
      const part = await open(stored, range);
      expect(
        Buffer.compare(part ?? new Uint8Array(1), content.slice(first * chunkBytes, (last + 1) * chunkBytes)),
      ).toBe(0);
    });
    await expect(fc.assert(property, { numRuns: 40 })).resolves.toBeUndefined();
  });

  it('has no size that no content can have', () => {
    const sizes = new Set(Array.from({ length: 3 * chunkBytes }, (_, size) => storedSize(size)));
    for (let stored = 0; stored < storedSize(3 * chunkBytes - 1); stored++) {
      if (sizes.has(stored) !== (plainSize(stored) !== undefined)) throw new Error(`${stored} bytes`);
    }
    expect(sizes.size).toBe(3 * chunkBytes);
  });

  it('is stored otherwise each time', async () => {
    const [one, two] = [await seal(secret, bytesOf(100)), await seal(secret, bytesOf(100))];
    const same = one.filter((byte, index) => index >= 4 && byte === two[index]).length;
    expect(same).toBeLessThan(10);
  });

  it('is not opened with any byte changed', async () => {
    const stored = await seal(secret, bytesOf(50));
    for (const index of stored.keys()) {
      const changed = stored.slice();
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(await open(changed)).toBeUndefined();
    }
  });

  it('is not opened when it is cut short or goes on', async () => {
    const stored = await seal(secret, bytesOf(50));
    for (let length = 0; length < stored.length; length++) expect(await open(stored.slice(0, length))).toBeUndefined();
    expect(await open(concat(stored, Uint8Array.of(0)))).toBeUndefined();
  });

  it('is not opened with chunks left out, repeated, exchanged, or of another content or an older state', async () => {
    const [stored, other] = [await seal(secret, bytesOf(3 * chunkBytes)), await seal(secret, bytesOf(3 * chunkBytes))];
    const [first, second, third] = [0, 1, 2].map((index) => chunk(stored, index)) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    const forgeries = {
      'its last chunk is left out': concat(head(stored), first, second),
      'only its first chunk is left': concat(head(stored), first),
      'its first chunk is left out': concat(head(stored), second, third),
      'a chunk is repeated': concat(head(stored), first, first, second, third),
      'chunks are exchanged': concat(head(stored), second, first, third),
      'a chunk is of another content': concat(head(stored), chunk(other, 0), second, third),
      'the end is of another content': concat(head(stored), first, second, chunk(other, 2)),
      'the head is of another content': concat(head(other), first, second, third),
    };
    for (const [what, forgery] of Object.entries(forgeries))
      expect([what, await open(forgery)]).toEqual([what, undefined]);
    expect((await open(stored))?.length).toBe(3 * chunkBytes);
  });

  it('shows where it ends to a reading past its end', async () => {
    const stored = await seal(secret, bytesOf(3 * chunkBytes));
    const cut = stored.slice(0, offsetOf(2));
    expect(await open(cut, { start: 2 * chunkBytes + 5, end: 2 * chunkBytes + 9 })).toBeUndefined();
    expect((await open(cut, { start: 0, end: 9 }))?.length).toBe(chunkBytes);
  });

  it('is not opened with another key', async () => {
    const stored = await seal(secret, bytesOf(50));
    const { content: other } = await deriveKeys(new Uint8Array(32).fill(1), new Uint8Array(32).fill(1));
    const parts = { head: stored.slice(0, headBytes), body: stored.slice(headBytes), size: 50, first: 0, last: 0 };
    expect(await unseal(other, parts as Parameters<typeof unseal>[1])).toBeUndefined();
  });
});
