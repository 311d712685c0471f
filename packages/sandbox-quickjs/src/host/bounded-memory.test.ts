import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundMemory } from './bounded-memory.ts';

const require = createRequire(import.meta.url);
const header = [0, 97, 115, 109, 1, 0, 0, 0];
/** A module that exports nothing but its memory. */
const moduleOf = (...memory: number[]) =>
  new Uint8Array([...header, 5, memory.length, ...memory, 7, 10, 1, 6, ...new TextEncoder().encode('memory'), 2, 0]);

/** Maximum number of pages of a module's memory. */
async function mostPages(module: Uint8Array<ArrayBuffer>): Promise<number> {
  const { instance } = await WebAssembly.instantiate(module);
  const memory = instance.exports['memory'] as WebAssembly.Memory;
  const grows = (pages: number): boolean => {
    try {
      memory.grow(pages);
      return true;
    } catch {
      return false;
    }
  };
  for (let step = 1024; step >= 1; step /= 2) while (memory.buffer.byteLength < 2 ** 28 && grows(step));
  return memory.buffer.byteLength / 65_536;
}

describe('a bounded memory', () => {
  it('grows so far and no further, from however many pages it begins with', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 120 }), fc.integer({ min: 0, max: 300 }), async (least, most) => {
        const bounded = boundMemory(moduleOf(1, 0, least), most * 65_536);
        expect(await mostPages(bounded)).toBe(Math.max(least, most));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps a bound that is lower', async () => {
    expect(await mostPages(boundMemory(moduleOf(1, 1, 2, 7), 100 * 65_536))).toBe(7);
    expect(await mostPages(boundMemory(moduleOf(1, 1, 2, 70), 9 * 65_536))).toBe(9);
  });

  it('leaves a module without a memory of its own unchanged', async () => {
    const empty = new Uint8Array(header);
    expect(boundMemory(empty, 65_536)).toEqual(empty);
    const engine = new Uint8Array(await readFile(require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')));
    expect(Buffer.from(boundMemory(engine, 65_536)).equals(engine)).toBe(true);
  });

  it('refuses what it cannot bound, or is cut off', () => {
    expect(() => boundMemory(moduleOf(1, 3, 1, 2), 65_536)).toThrow('cannot be bounded');
    expect(() => boundMemory(moduleOf(2, 0, 1, 0, 1), 65_536)).toThrow('cannot be bounded');
    expect(() => boundMemory(new Uint8Array([...header, 1, 255]), 65_536)).toThrow('truncated');
  });
});
