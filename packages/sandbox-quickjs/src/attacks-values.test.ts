import fc from 'fast-check';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { quickjsSandbox } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

// Values that code may make, as the source that makes them.

/** Actions of a getter, a trap or a method. */
const action = fc.constantFrom(
  'return 1',
  'return {}',
  'return this',
  'return undefined',
  'return Symbol.iterator',
  'return 10n',
  'return () => {}',
  'return new Proxy({}, {})',
  'throw new Error("mine")',
  'throw null',
  'throw Symbol("mine")',
  'throw { get message() { throw this } }',
);

const key = fc.constantFrom(
  ...['a', 'b', '0', 'then', 'toJSON', 'constructor', 'prototype', 'length', 'message', 'stack', 'name', 'type'],
  ...['["__proto__"]', '[Symbol.iterator]', '[Symbol.toPrimitive]', '[Symbol.toStringTag]', '[Symbol.species]'],
);

const trap = fc.constantFrom(
  ...['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'apply', 'construct'],
);

const primitive = fc.oneof(
  fc.constantFrom(
    'undefined',
    'null',
    'NaN',
    '-0',
    '10n',
    'Symbol("s")',
    'Symbol.iterator',
    '"\\ud800\\0"',
    '() => {}',
  ),
  fc.constantFrom(
    'class {}',
    'async () => {}',
    'function* () {}',
    'globalThis',
    'halt',
    'tools',
    'new Date(NaN)',
    '/a/g',
  ),
  fc.integer().map((value) => `(${value})`),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    primitive,
    fc.array(tie('value'), { maxLength: 3 }).map((list) => `[${list.join(', ')}]`),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 3 })
      .map((all) => `{ ${all.map((each) => each.join(': ')).join(', ')} }`),
    fc.tuple(key, action).map(([name, body]) => `{ get ${name}() { ${body} } }`),
    fc.tuple(key, action).map(([name, body]) => `{ ${name}() { ${body} } }`),
    fc
      .tuple(tie('value'), fc.array(fc.tuple(trap, action), { maxLength: 3 }))
      .map(
        ([of, traps]) =>
          `new Proxy(Object(${of}), { ${traps.map(([name, body]) => `${name}() { ${body} }`).join(', ')} })`,
      ),
    tie('value').map((of) => `Object.assign(Object.create(null), { a: ${of} })`),
    tie('value').map((of) => `Object.create(Object(${of}))`),
    tie('value').map((of) => `new Map([[${of}, ${of}]])`),
    tie('value').map((of) => `new Set([${of}])`),
    tie('value').map((of) => `((a) => ((a.again = a), a))({ of: ${of} })`),
    tie('value').map((of) => `Object.assign(new Error('mine'), { a: ${of} })`),
    tie('value').map((of) => `Promise.resolve().then(() => { throw ${of} }).catch((error) => error)`),
    fc.constantFrom('Uint8Array', 'Float64Array', 'BigInt64Array', 'ArrayBuffer').map((name) => `new ${name}(8)`),
    action.map((body) => `new (class { toJSON() { ${body} } get a() { ${body} } })()`),
    action.map((body) => `Object.defineProperty(new Error(), 'message', { get() { ${body} } })`),
    fc.constant('((each) => (each.revoke(), each.proxy))(Proxy.revocable({}, {}))'),
  ),
}));

const ownKeys = Reflect.ownKeys(Object.prototype);

/** Destinations of hostile values. */
const ways: Readonly<Record<string, (value: string) => string>> = {
  returned: (made) => `return ${made}`,
  thrown: (made) => `throw ${made}`,
  'on the console': (made) => `console.log(${made}, [${made}]); console.table(${made}); return 1`,
  'given to the host': (made) => `return tools.take(${made}).catch((error) => typeof error)`,
  'given to the host, within another': (made) => `await tools.take({ list: [${made}] }).catch(() => {}); return 1`,
  cloned: (made) => `return structuredClone(${made})`,
  'in a timer': (made) => `setTimeout(() => { throw ${made} }); return 1`,
};

/** Data, and nothing that could run or that is somebody else's. */
function isPlain(given: unknown): boolean {
  if (typeof given !== 'object' || given === null)
    return ['string', 'number', 'boolean', 'object'].includes(typeof given);
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== Object.prototype && prototype !== Array.prototype) return false;
  return Object.values(Object.getOwnPropertyDescriptors(given)).every((each) => 'value' in each && isPlain(each.value));
}

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('a value of %s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, limits: { workMs: 60_000 } });
  afterAll(() => sandbox.close());

  it.each(Object.keys(ways))('is shown or refused, and runs nothing in the host: %s', async (way) => {
    const globals = Reflect.ownKeys(globalThis).length;
    await fc.assert(
      fc.asyncProperty(value, async (made) => {
        const taken: unknown[] = [];
        const hostFunctions = { 'tools.take': (given: unknown) => void taken.push(given) };
        const code = ways[way]?.(`(${made})`) ?? '';
        const { status, text, console } = await sandbox.run({ code, hostFunctions });
        expect(['done', 'failed', 'halted']).toContain(status);
        expect([text, ...console.map((line) => line.text)].join('\n')).not.toMatch(/node:|file:|\.ts\b|were left/);
        expect(taken.every((given) => given === undefined || isPlain(given))).toBe(true);
        expect(Reflect.ownKeys(Object.prototype)).toEqual(ownKeys);
      }),
      { numRuns: inject('isLong') ? 40 : 12 },
    );
    expect(Reflect.ownKeys(globalThis)).toHaveLength(globals);
    expect(await sandbox.run({ code: 'return 6 * 7' })).toMatchObject({ status: 'done', text: '42' });
  });
});
