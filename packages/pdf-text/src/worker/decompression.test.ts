import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { unpackWithin } from '../test-kit/unpack-within.ts';

it('a stream is unpacked no further than may be taken', async () => {
  const bytes = new Uint8Array(deflateSync(new Uint8Array(60_000_000)));
  expect(await unpackWithin(bytes, 80_000_000)).toEqual({ given: bytes.length, taken: 60_000_000, isDone: true });
  const { taken, isDone } = await unpackWithin(bytes, 1_000_000);
  expect(isDone).toBe(false);
  expect(taken).toBeLessThan(2_000_000);
});

it('formats that unpack without a bound are not supported', async () => {
  await expect(unpackWithin(new Uint8Array(1), 1, 'brotli')).rejects.toThrow('brotli is not supported');
});
