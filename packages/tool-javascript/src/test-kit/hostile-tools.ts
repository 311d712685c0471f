import { defineTool, jsonSchema } from '@utensil/core';
import type { Json, Tool } from '@utensil/core';

const cyclic: Record<string, unknown> = {};
cyclic['again'] = cyclic;

/** An object at a given depth. */
function deep(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level++) value = { value };
  return value;
}

const refuse = (): never => {
  throw new Error('This runs in the host.');
};

/** Results that no tool should return, by name. */
const results: Readonly<Record<string, () => unknown>> = {
  getter: () => ({
    get a() {
      return refuse();
    },
  }),
  proxy: () => new Proxy({}, { ownKeys: refuse, get: refuse, getPrototypeOf: refuse }),
  // oxlint-disable-next-line unicorn/no-thenable -- that is the attack
  thenable: () => ({ value: { then: (resolve: (value: unknown) => void) => resolve(globalThis) } }),
  toJSON: () => ({ toJSON: () => ({ process: globalThis }) }),
  cycle: () => cyclic,
  bigint: () => ({ value: 1n }),
  function: () => ({ value: refuse }),
  symbol: () => ({ value: Symbol('host') }),
  map: () => new Map([[{}, new Set([1])]]),
  date: () => ({ value: new Date(0), none: new Date(Number.NaN) }),
  instance: () =>
    new (class Own {
      value = 1;
    })(),
  error: () => new Error('It broke.', { cause: refuse }),
  nothing: () => undefined,
  bytes: () => new Uint8Array([1, 2]),
  global: () => globalThis,
  prototype: () => JSON.parse('{ "__proto__": { "polluted": true } }') as unknown,
  constructor: () => ({ constructor: { prototype: { polluted: true } } }),
  long: () => 'x'.repeat(2_000_000),
  deep: () => deep(10_000),
  wide: () => Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name${index}`, index])),
  promise: () => ({ value: Promise.resolve(globalThis) }),
};

/** Errors that a tool may throw, by name. */
const errors: Readonly<Record<string, () => unknown>> = {
  plain: () => new Error('It broke.'),
  internal: () => (null as unknown as { readonly member: unknown }).member,
  cause: () => new Error('It broke.', { cause: new Error('Inside.', { cause: globalThis }) }),
  text: () => 'It broke.',
  symbol: () => Symbol('broken'),
  nothing: () => undefined,
  getter: () =>
    Object.defineProperty(new Error('It broke.'), 'message', {
      get: () => {
        throw new Error('Again.');
      },
    }),
  proxy: () => new Proxy(new Error('It broke.'), { get: refuse }),
  long: () => new Error('It broke. '.repeat(1_000_000)),
};

const input = jsonSchema({ type: 'object' });

const kindOf = (given: unknown): string => {
  const { kind } = given as { readonly kind?: unknown };
  return typeof kind === 'string' ? kind : 'plain';
};

function made(table: Readonly<Record<string, () => unknown>>, kind: string): unknown {
  return Object.hasOwn(table, kind) ? table[kind]?.() : new Error('It broke.');
}

const tool = (name: string, more: Partial<Tool>): Tool =>
  defineTool({ name, description: `Does ${name}.`, input, effects: 'read', execute: () => name, ...more });

/** Tools that hostile scripts call and that are hostile themselves. */
export const hostileTools: readonly Tool[] = [
  tool('echo', { execute: (given) => given }),
  tool('x-y', { execute: (given) => given }),
  tool('give', { execute: (given) => made(results, kindOf(given)) }),
  tool('fail', {
    execute(given) {
      if (kindOf(given) === 'rejected') return Promise.reject(new Error('It broke.'));
      throw made(errors, kindOf(given));
    },
  }),
  tool('hang', { timeoutMs: 150, execute: () => new Promise<Json>(() => undefined) }),
  tool('wipe', { effects: 'destructive' }),
  tool('secret', {}),
];
