import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hmacSeals } from './seals.ts';

const key = new Uint8Array(32).fill(7);
const seals = hmacSeals(key);

it('is HMAC-SHA-256 of the statement, whatever the order of its keys', async () => {
  const expected = createHmac('sha256', key).update('utensil seal 1\n{"a":1,"b":["x"]}').digest('hex');
  expect(await seals.make({ b: ['x'], a: 1 })).toBe(expected);
  expect(await seals.fits({ a: 1, b: ['x'] }, expected)).toBe(true);
});

it('does not fit another statement, another key, or a seal that anything was done to', async () => {
  const seal = await seals.make({ tool: 'a' });
  const other = hmacSeals(new Uint8Array(32).fill(8));
  expect(await seals.fits({ tool: 'b' }, seal)).toBe(false);
  expect(await other.fits({ tool: 'a' }, seal)).toBe(false);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.nat(63).map((at) => damaged(seal, at)),
        fc.nat(63).map((length) => seal.slice(0, length)),
      ),
      async (given) => {
        expect(await seals.fits({ tool: 'a' }, given)).toBe(false);
      },
    ),
  );
  expect(await seals.fits({ tool: 'a' }, seal + seal)).toBe(false);
  expect(await seals.fits({ tool: 'a' }, '')).toBe(false);
});

it('takes a key that can only be used, as browsers keep one', async () => {
  const hidden = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const using = hmacSeals(
    async (message) => new Uint8Array(await crypto.subtle.sign('HMAC', hidden, message as Uint8Array<ArrayBuffer>)),
  );
  expect(await using.make({ a: 1 })).toBe(await seals.make({ a: 1 }));
});

it.each([
  ['no bytes', new Uint8Array()],
  ['a half', new Uint8Array(16)],
  ['digits', 'ab'.repeat(32)],
  ['nothing', undefined],
])('took a key function that gives %s, so that one seal could fit every statement', async (_, given) => {
  const odd = hmacSeals(async () => given as Uint8Array);
  await expect(odd.make({ tool: 'a' })).rejects.toThrow('must give the 32 bytes of an HMAC-SHA-256');
  await expect(odd.fits({ tool: 'a' }, '')).rejects.toThrow('must give the 32 bytes');
});

it('refuses a key that is too short, and continues with its own copy of one', async () => {
  expect(() => hmacSeals(new Uint8Array(31))).toThrow('at least 32 random bytes, and this one has 31');
  const given = key.slice();
  const own = hmacSeals(given);
  given.fill(0);
  expect(await own.make({ a: 1 })).toBe(await seals.make({ a: 1 }));
});

function damaged(seal: string, at: number): string {
  return seal.slice(0, at) + (seal[at] === '0' ? '1' : '0') + seal.slice(at + 1);
}
