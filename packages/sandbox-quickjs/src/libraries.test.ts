import { afterAll, expect, inject, it } from 'vitest';
import { quickjsSandbox } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

const sandbox = quickjsSandbox({ worker, maxWorkers: 1 });
afterAll(() => sandbox.close());

const library = (code: string, name = '/lib/a.js') => ({ name, code });

/** Effects of libraries on a script: on first use, compiled for others, and read from the cache. */
const cases: readonly (readonly [
  title: string,
  libraries: readonly ReturnType<typeof library>[],
  code: string,
  said: object,
])[] = [
  [
    'make globals of every kind',
    [library('globalThis.a = 1; var b = 2; let c = 3; const d = 4; function e() { return 5 } class F {}')],
    'return [a, b, c, d, e(), typeof F, typeof globalThis.b, typeof globalThis.c].join()',
    { status: 'done', text: '1,2,3,4,5,function,number,undefined' },
  ],
  [
    'keep the text of functions',
    [library('function add(a, b) { /* sums */ return a + b }')],
    'return add.toString()',
    { status: 'done', text: 'function add(a, b) { /* sums */ return a + b }' },
  ],
  [
    'say in which line they threw',
    [library('let n = 1;\n\nthrow new TypeError("no");')],
    'return 1',
    { console: [{ level: 'ERROR', text: expect.stringMatching(/no[^]*\/lib\/a\.js:3/), library: '/lib/a.js' }] },
  ],
  [
    'say in which line of a function an error arose',
    [library('function fail() {\n  throw new Error("deep");\n}')],
    'fail()',
    { status: 'failed', text: expect.stringMatching(/deep[^]*\/lib\/a\.js:2/) },
  ],
  [
    'say what is no script',
    [library('let let x(')],
    'return 1',
    {
      status: 'done',
      console: [{ level: 'ERROR', text: expect.stringContaining('SyntaxError'), library: '/lib/a.js' }],
    },
  ],
  [
    'cannot declare a name twice',
    [library('let x = 1'), library('let x = 2', '/lib/b.js')],
    'return x',
    { status: 'done', text: '1', console: [{ level: 'ERROR', text: expect.any(String), library: '/lib/b.js' }] },
  ],
  [
    'see what those before them made, whichever they are',
    [
      library('globalThis.log = []; JSON.parse = () => 0; Function.prototype.call = null'),
      library('log.push(typeof Function.prototype.call)', '/lib/b.js'),
    ],
    'return log',
    { status: 'done' },
  ],
  [
    'can be lazy, sloppy and generators',
    [library('later = async () => [...(function* () { yield* [1, 2] })()]')],
    'return later()',
    { status: 'done' },
  ],
];

it.each(cases)('libraries %s, each time they come', async (_title, libraries, code, said) => {
  const results = [];
  for (let n = 0; n < 4; n++) {
    const { status, text, console } = await sandbox.run({ code, libraries });
    results.push({ status, text, console });
  }
  expect(results[0]).toMatchObject(said);
  expect(results.slice(1)).toEqual([results[0], results[0], results[0]]);
});

it('one script cannot change what another gets of a library', async () => {
  const libraries = [library('globalThis.price = () => 10')];
  for (let n = 0; n < 4; n++) {
    const { text } = await sandbox.run({
      code: 'const before = price(); globalThis.price = () => 0; Object.prototype.valueOf = () => 0; return before',
      libraries,
    });
    expect(text).toBe('10');
  }
});

it('a library that is too large for the memory of a script says so, each time it comes', async () => {
  const code = `globalThis.table = [${'"some text of a table", '.repeat(20_000)}]`;
  const small = { code: 'return table.length', libraries: [library(code)], limits: { memoryBytes: 1_200_000 } };
  const large = { ...small, limits: {} };
  const first = await sandbox.run(small);
  for (let n = 0; n < 3; n++) expect(await sandbox.run(large)).toMatchObject({ status: 'done', text: '20000' });
  const last = await sandbox.run(small);
  expect([last.status, last.text]).toEqual([first.status, first.text]);
  expect(first.status).not.toBe('done');
});
