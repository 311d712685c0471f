import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveKey, newKey, open, seal } from './seal.ts';

it('opens what it has sealed, never with the same bytes twice, and lets no key out', async () => {
  const key = await newKey();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const [one, two] = [await seal(key, text), await seal(key, text)];
      expect(await open(key, one)).toBe(text);
      expect(one.data).not.toBe(two.data);
    }),
    { numRuns: 50 },
  );
  await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow(/not extractable/);
});

it('opens nothing with another key, and nothing that was altered', async () => {
  const [key, other] = [await newKey(), await newKey()];
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (text, at, change) => {
      const sealed = await seal(key, text);
      const bytes = Uint8Array.from(atob(sealed.data), (character) => character.charCodeAt(0));
      const index = at % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ change;
      const altered = { ...sealed, data: btoa(String.fromCharCode(...bytes)) };
      await expect(open(other, sealed)).rejects.toMatchObject({ code: 'invalid_input' });
      await expect(open(key, altered)).rejects.toMatchObject({ code: 'invalid_input' });
    }),
    { numRuns: 50 },
  );
});

it('makes the same key of a passphrase in whatever form it is typed, and another one with other salt', async () => {
  const [salt, otherSalt] = [btoa('0123456789abcdef'), btoa('fedcba9876543210')];
  const sealed = await seal(await deriveKey('caf\u00e9', salt), 'text');
  expect(await open(await deriveKey('cafe\u0301', salt), sealed)).toBe('text');
  await expect(open(await deriveKey('caf\u00e9', otherSalt), sealed)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(open(await deriveKey('cafe', salt), sealed)).rejects.toMatchObject({ code: 'invalid_input' });
});
