import type { Kit } from './kit.ts';

/** Defines the other platform globals: performance, crypto, structuredClone, self. Randomness comes from the host. */
export function guestPlatform(kit: Kit): void {
  const { assign } = Object; // a script may replace it
  const randomBytes = (length: number): Uint8Array => kit.fromBase64(String(kit.ask('random', length)));
  const started = Number(kit.ask('now'));

  /** xoshiro128: fast, with a different seed in each run. */
  const seeded = (): (() => number) => {
    const state = new Uint32Array(randomBytes(16).buffer as ArrayBuffer);
    const turn = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
    const next = (): number => {
      let [a = 1, b = 2, c = 3, d = 4] = state;
      const drawn = Math.imul(turn(Math.imul(b, 5), 7), 9) >>> 0;
      const shifted = b << 9;
      c ^= a;
      d ^= b;
      b ^= c;
      a ^= d;
      c ^= shifted;
      state.set([a, b, c, turn(d, 11)]);
      return drawn;
    };
    return () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53;
  };

  const notCloneable = (value: unknown): Error =>
    assign(new Error(`${typeof value === 'object' ? 'The object' : kit.show(value)} could not be cloned.`), {
      name: 'DataCloneError',
    });

  const cloneObject = (value: object, done: Map<object, unknown>): unknown => {
    const keep = <Copy>(copy: Copy): Copy => {
      done.set(value, copy);
      return copy;
    };
    if (value instanceof Date) return keep(new Date(value.getTime()));
    if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags));
    if (value instanceof ArrayBuffer) return keep(value.slice(0));
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength } = value;
      const make = value.constructor as new (buffer: unknown, offset: number, length: number) => unknown;
      const length = value instanceof DataView ? byteLength : (value as Uint8Array).length;
      return keep(new make(clone(buffer, done), byteOffset, length));
    }
    if (value instanceof Map) {
      const copy = keep(new Map());
      for (const [key, each] of [...value]) copy.set(clone(key, done), clone(each, done));
      return copy;
    }
    if (value instanceof Set) {
      const copy = keep(new Set());
      for (const each of [...value]) copy.add(clone(each, done));
      return copy;
    }
    if (value instanceof Error) {
      const copy = keep(new Error(value.message));
      copy.name = value.name;
      return copy;
    }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef)
      throw notCloneable(value);
    const copy: Record<string, unknown> = keep(
      Array.isArray(value) ? assign([], { length: value.length }) : {},
    ) as never;
    for (const key of Object.keys(value)) {
      const each = clone((value as Record<string, unknown>)[key], done);
      Object.defineProperty(copy, key, { value: each, writable: true, enumerable: true, configurable: true });
    }
    return copy;
  };

  const clone = (value: unknown, done: Map<object, unknown>): unknown => {
    if (typeof value === 'function' || typeof value === 'symbol') throw notCloneable(value);
    if (typeof value !== 'object' || value === null) return value;
    return done.has(value) ? done.get(value) : cloneObject(value, done);
  };

  const getRandomValues = (target: unknown): unknown => {
    if (!ArrayBuffer.isView(target)) throw new TypeError('crypto.getRandomValues needs a typed array');
    if (target.byteLength > 65_536) throw new RangeError('crypto.getRandomValues gives at most 65536 bytes at a time');
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(randomBytes(target.byteLength));
    return target;
  };

  const randomUUID = (): string => {
    const bytes = randomBytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };

  Math.random = seeded();
  kit.define('performance', { now: () => Number(kit.ask('now')) - started, timeOrigin: Date.now() });
  kit.define('crypto', { getRandomValues, randomUUID });
  kit.define('structuredClone', (value: unknown) => clone(value, new Map()));
  kit.define('self', globalThis);
  kit.define('halt', (message: unknown = 'Halted') => {
    kit.say({ type: 'halt', text: kit.cut(kit.show(message)) });
    for (;;); // until the engine terminates it, which code cannot catch
  });
}
