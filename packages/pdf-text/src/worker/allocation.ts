import { countedDecompression } from './decompression.ts';
import type { DecompressionConstructor } from './decompression.ts';

/** Budget of bytes that a program may allocate in buffers. */
export interface Allocation {
  /** Starts counting. */
  start(): void;
  isSpent(): boolean;
}

interface Construct {
  (...values: never[]): object;
  readonly prototype: object;
  readonly BYTES_PER_ELEMENT?: number;
}

/** In bytes. A document makes a map with four bytes: each of its dictionaries is one. */
const map = 256;

const buffers = [
  'ArrayBuffer',
  'BigInt64Array',
  'BigUint64Array',
  'Float32Array',
  'Float64Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'SharedArrayBuffer',
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
] as const;

/**
 * Limits the buffers of this whole realm: after `bytes` in all, allocating another one throws. A heap limit does not apply
 * to them, because they are outside of the heap.
 */
export function limitAllocation(bytes: number): Allocation {
  const realm = globalThis as unknown as Record<string, unknown>;
  let left = Infinity;
  const take = (size: number): void => {
    left -= size;
    if (left < 0) throw new RangeError('The document unpacks to more than its limit.');
  };
  Reflect.deleteProperty(realm, 'WebAssembly'); // its memory would not be counted, and only images need it
  const { DecompressionStream } = realm;
  if (typeof DecompressionStream === 'function')
    realm['DecompressionStream'] = countedDecompression(DecompressionStream as DecompressionConstructor, take);
  for (const name of buffers) {
    const original = realm[name];
    if (typeof original === 'function') realm[name] = counted(original as Construct, take);
  }
  realm['Map'] = counted(Map as unknown as Construct, take, () => map);
  return { start: () => void (left = bytes), isSpent: () => left < 0 };
}

/** The same constructor, counted. Values derived from its own, as by `slice`, are counted too. */
function counted(original: Construct, take: (bytes: number) => void, sizeOf = sizeOfBuffer): unknown {
  const proxy: Construct = new Proxy(original, {
    construct(target, values: readonly unknown[], newTarget: Construct) {
      take(sizeOf(values[0], target));
      return Reflect.construct(target, values, newTarget === proxy ? target : newTarget) as object;
    },
  });
  Object.defineProperty(original.prototype, 'constructor', { value: proxy });
  return proxy;
}

/** Size in bytes of a buffer made from this value. */
function sizeOfBuffer(value: unknown, { BYTES_PER_ELEMENT: width = 1 }: Construct): number {
  const length: unknown = typeof value === 'number' ? value : (Object(value) as { readonly length?: unknown }).length;
  return typeof length === 'number' && length > 0 ? length * width : 0; // without a length it is a view
}
