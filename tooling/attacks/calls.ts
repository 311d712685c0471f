import { ended, gives, stopped, way } from './attack.ts';
import type { AttackClass, Guarded } from './attack.ts';
import { arrives, error, invalid, refused, result } from './call.ts';

// The tools that there are, of `hostileTools` in tool-javascript: `echo` gives back its input, `fail` throws, `give` gives what
// no tool should, `hang` never answers, `wipe` is not allowed, `secret` is off, and `x-y` is called so.

const ofInputs: readonly Guarded[] = [
  {
    attack: stopped(
      'a getter that takes its time',
      'await tools.echo({ get value() { const end = performance.now() + 300; while (performance.now() < end); return 1 } })',
    ),
    under: { workMs: 50 },
    lifted: { workMs: 60_000 },
  },
  {
    attack: stopped('a long text', `await tools.echo({ value: 'x'.repeat(400_000) })`),
    under: { hostCharacters: 300_000 },
    lifted: { hostCharacters: 10_000_000 },
  },
];

const ofStorms: readonly Guarded[] = [
  {
    attack: stopped('one after the other', 'for (let i = 0; i < 50; i++) await tools.echo({})'),
    under: { hostCalls: 30 },
    lifted: { hostCalls: 10_000 },
  },
];

const ofEnds: readonly Guarded[] = [
  {
    attack: stopped('a long wait', 'await new Promise((done) => setTimeout(done, 400)); await tools.echo({})'),
    under: { wallMs: 100 },
    lifted: { wallMs: 120_000 },
  },
  {
    attack: stopped(
      'work in the callback of an answer',
      'await tools.echo({}).then(() => { const end = performance.now() + 300; while (performance.now() < end); })',
    ),
    under: { workMs: 50 },
    lifted: { workMs: 60_000 },
  },
];

const ofSettings: readonly Guarded[] = [
  {
    attack: gives('a tool that is off', `return typeof tools.secret === 'undefined' ? 'contained' : 'found'`),
    under: { isToolOn: false },
    lifted: { isToolOn: true },
  },
  {
    attack: gives(
      'a tool that is not allowed',
      `return tools.wipe().then(() => 'wiped', (error) => (error.code === 'tool_denied' ? 'contained' : error.code))`,
    ),
    under: { mayDo: 'read' },
    lifted: { mayDo: 'destructive' },
  },
];

/** Code that attacks by calls of tools, by class. */
export const calls: Readonly<Record<string, AttackClass>> = {
  'hostile inputs of tools': {
    source:
      'probe: a value of the guest, read by its host, runs getters and traps of proxies there (patriksimek/vm2#177)',
    stoppedBy: ofInputs,
    attacks: [
      stopped('a getter that does not end', 'await tools.echo({ get value() { for (;;); } })'),
      stopped('toJSON that does not end', 'await tools.echo({ toJSON() { for (;;); } })'),
      stopped('a proxy that does not end', 'await tools.echo(new Proxy({}, { ownKeys() { for (;;); } }))'),
      stopped(
        'a proxy of an array that does not end',
        'await tools.echo({ value: new Proxy([], { get() { for (;;); } }) })',
      ),
      stopped(
        'a proxy of endless depth',
        'const endless = () => new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: 1 }), get: endless }); await tools.echo(endless())',
      ),
      stopped('a sparse array', 'const value = []; value[4294967290] = 1; await tools.echo({ value })'),
      stopped('too long a text', `await tools.echo({ value: 'x'.repeat(11e6) })`),
      refused('a getter that throws', '{ get a() { throw new Error("mine") } }'),
      refused('a BigInt', '1n'),
      refused('a cycle', '((a) => (a.a = a))({})'),
      refused('a proxy that was revoked', '((each) => (each.revoke(), each.proxy))(Proxy.revocable({}, {}))'),
      refused('toJSON that throws', '{ toJSON() { throw new TypeError("mine") } }'),
      invalid('a text', '"text"'),
      invalid('a number', '5'),
      invalid('an array', '[1]'),
      invalid('toJSON that gives no object', '{ toJSON: () => "text" }'),
      arrives('a function and a symbol', '{ a() {}, b: Symbol("b"), c: 1 }', '{"c":1}'),
      arrives('a thenable', '{ then(resolve) { resolve("forged") } }', '{}'),
      arrives('numbers that are none', '[NaN, Infinity, -0]', '[null,null,0]'),
      arrives(
        'a Map, a Set and a Date',
        '[new Map([[1, 2]]), new Set([1]), new Date(0)]',
        '[{},{},"1970-01-01T00:00:00.000Z"]',
      ),
      arrives('bytes', 'new Uint8Array([1, 2])', '{"0":1,"1":2}'),
      arrives('a lone surrogate and a NUL', '"\\ud800a\\0b"', '"\\ud800a\\u0000b"'),
      arrives(
        'an object with a prototype',
        'Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true } })',
        '{"own":2}',
      ),
      gives(
        '__proto__ as a key',
        `const { value } = await tools.echo(JSON.parse('{ "__proto__": { "polluted": true }, "value": "contained" }')); return {}.polluted === undefined ? value : 'polluted'`,
      ),
      gives(
        'constructor and prototype as keys',
        `const { value } = await tools.echo({ constructor: { prototype: { polluted: true } }, value: 'contained' }); return {}.polluted === undefined ? value : 'polluted'`,
      ),
      ended(
        '100,000 levels',
        'let value = {}; for (let i = 0; i < 1e5; i++) value = { value }; return tools.echo({ value })',
      ),
      ended(
        '1,000 levels',
        'let value = {}; for (let i = 0; i < 1e3; i++) value = { value }; return tools.echo({ value })',
      ),
      ended(
        '100,000 names',
        'return tools.echo(Object.fromEntries(Array.from({ length: 1e5 }, (_, i) => ["name" + i, i])))',
      ),
    ],
  },
  'hostile results of tools': {
    source: "CVE-2026-44000: what promises of vm2's host resolved to reached the guest as it was",
    stoppedBy: 'There is nothing to switch off: what a tool gives is made JSON of before any of it leaves the host.',
    attacks: [
      ...[
        'getter',
        'proxy',
        'thenable',
        'toJSON',
        'cycle',
        'bigint',
        'function',
        'symbol',
        'map',
        'date',
        'instance',
      ].map(result),
      ...['error', 'nothing', 'bytes', 'global', 'prototype', 'constructor', 'long', 'wide', 'promise'].map(result),
      ended('deep', `return tools.give({ kind: 'deep' })`),
      gives(
        'the constructor of an answer',
        `const { value } = await tools.echo({ value: [{}] }); return value.constructor === Array && value[0].constructor === Object ? 'contained' : 'escaped'`,
      ),
      gives(
        'one answer is not another',
        `const [a, b] = await Promise.all([tools.echo({ value: {} }), tools.echo({ value: {} })]); a.value.mine = 1; return b.value.mine === undefined ? 'contained' : 'shared'`,
      ),
    ],
  },
  'errors of tools': {
    source:
      'CVE-2026-22686: a call of a tool that failed in enclave-vm gave code an error of the host, and its prototypes',
    stoppedBy:
      'There is nothing to switch off: of an error its message and code leave the host, as text, and a new one is thrown.',
    attacks: [
      ...['plain', 'internal', 'cause', 'text', 'symbol', 'nothing', 'getter', 'proxy', 'long', 'rejected'].map(error),
      ended('thrown on', `await tools.fail({ kind: 'plain' })`),
      ended('nobody looks at it', `tools.fail({ kind: 'plain' }); return 1`),
      ended('many, and nobody looks at them', `for (let i = 0; i < 100; i++) tools.fail({ kind: 'plain' }); return 1`),
    ],
  },
  'storms of calls of tools': {
    source: 'probe: scripts that make 100,000 calls hold their host up, however short each of them is',
    stoppedBy: ofStorms,
    attacks: [
      stopped('one after the other', 'for (;;) await tools.echo({})'),
      stopped('at once', 'for (;;) tools.echo({})'),
      stopped('errors caught', 'for (;;) try { await tools.echo({}) } catch {}'),
      stopped('never awaited', 'for (let i = 0; i < 1e4; i++) tools.echo({}); await new Promise(() => {})'),
      stopped('each begins the next', 'const again = () => tools.echo({}).then(again); await again()'),
      stopped(
        'each begins two',
        'const again = () => Promise.all([tools.echo({}).then(again), tools.echo({}).then(again)]); await again()',
      ),
      stopped('by timers', 'setInterval(() => tools.echo({}), 1); await new Promise(() => {})'),
      stopped('much there and back', `for (;;) await tools.echo({ value: 'x'.repeat(9e5) })`),
      stopped('long answers', `for (;;) await tools.give({ kind: 'long' })`),
      stopped('with files', `for (;;) { await fs.writeFile('/a', 'x'); await tools.echo({}) }`),
      ended(
        'in toJSON of their input',
        'const value = { toJSON() { tools.echo(value); return 1 } }; await tools.echo({ value })',
      ),
      stopped(
        'in a getter of their input',
        'const value = { get a() { for (;;) tools.echo({}) } }; await tools.echo({ value })',
      ),
      stopped('on the console', 'for (;;) console.log(await tools.echo({}))'),
      ended(
        'in an input that calls another',
        'let left = 50; const next = () => ({ toJSON: () => (left-- > 0 && void tools.echo({ value: next() }), 1) }); await tools.echo({ value: next() }); return 1',
      ),
      stopped('in promises that never settle', 'await Promise.all(Array.from({ length: 1e3 }, () => tools.hang()))'),
    ],
  },
  'calls and the end of a script': {
    source: 'GHSA-r4fx-v8hh-22mv: what was called back after the end of a script in vm2 had no time limit',
    stoppedBy: ofEnds,
    attacks: [
      stopped('a tool that never answers', 'await tools.hang()'),
      stopped('a loop in the callback of an answer', 'await tools.echo({}).then(() => { for (;;); })'),
      stopped('a loop in the callback of an error', 'await tools.fail({}).catch(() => { for (;;); })'),
      stopped('a loop in finally', 'await tools.echo({}).finally(() => { for (;;); })'),
      stopped('a loop while a tool is at work', 'tools.hang(); for (;;);'),
      stopped('a chain while a tool is at work', 'tools.hang(); for (;;) await 0'),
      stopped('recursion in a callback', 'const f = () => f() + 1; await tools.echo({}).then(f)'),
      stopped(
        'memory in a callback',
        'await tools.echo({}).then(() => { const all = []; for (;;) all.push(new Uint8Array(1e5)) })',
      ),
      stopped('a pattern in a callback', `await tools.echo({}).then(() => /^(a+)+$/.test('a'.repeat(40) + 'b'))`),
      stopped('what does not ask in a callback', `await tools.echo({}).then(() => new Array(1e9).join(''))`),
      stopped('a race that goes on', 'await Promise.race([tools.echo({}), tools.hang()]); await tools.hang()'),
      ended('halt while a tool is at work', `tools.hang(); halt('enough')`),
      ended('an error while a tool is at work', `tools.echo({}); throw new Error('mine')`),
      ended('a tool left behind that never answers', 'tools.hang(); return 1'),
      ended('a call in a timer after the end', 'setTimeout(() => tools.echo({}), 1); return 1'),
      gives('a call left behind', `tools.echo({}); return 'contained'`),
    ],
  },
  'tools that are off, denied, or the script itself': {
    source: 'CVE-2026-44007: a sandbox of vm2 in a sandbox of vm2 had what its own was denied',
    stoppedBy: ofSettings,
    attacks: [
      gives('a tool that is off', `return typeof tools.secret === 'undefined' ? 'contained' : 'found'`),
      gives('the script itself', `return typeof tools.javascript === 'undefined' ? 'contained' : 'found'`),
      gives(
        'the names of all',
        `const names = Object.getOwnPropertyNames(tools).sort().join(); return names === 'echo,fail,give,hang,wipe,x-y' ? 'contained' : names`,
      ),
      gives(
        'a tool that is not allowed',
        `return tools.wipe().then(() => 'wiped', (error) => (error.code === 'tool_denied' ? 'contained' : error.code))`,
      ),
      gives(
        'not allowed, again and again',
        `for (let i = 0; i < 20; i++) { const code = await tools.wipe().then(() => 'wiped', (error) => error.code); if (code !== 'tool_denied') return code } return 'contained'`,
      ),
      gives(
        'a tool without a name',
        `return typeof tools[''] === 'undefined' && typeof tools.x$y === 'undefined' ? 'contained' : 'found'`,
      ),
      gives('a name with a hyphen', `return (await tools['x-y']({ value: 'contained' })).value`),
      gives(
        'what javascript is called inside',
        `return [typeof javascript, typeof hostFunctions, typeof call].every((each) => each === 'undefined') ? 'contained' : 'found'`,
      ),
    ],
  },
  'escapes by the names of tools': {
    source: 'CVE-2025-68613: what expressions of n8n were given led to the process by its constructors',
    stoppedBy: 'There is nothing to switch off: tools are functions of the guest, which know a name and send text.',
    attacks: [
      way('tools.constructor', 'tools.constructor.constructor'),
      way('tools.__proto__', 'tools.__proto__.constructor.constructor'),
      way('a tool', 'tools.echo.constructor'),
      way("a tool's prototype", 'Object.getPrototypeOf(tools.echo).constructor'),
      way('the promise of a call', 'tools.echo({}).constructor.constructor'),
      way('then of a call', 'tools.echo({}).then.constructor'),
      way('an answer', '(await tools.echo({ value: {} })).value.constructor.constructor'),
      way('a text of an answer', '(await tools.echo({ value: "a" })).value.constructor.constructor'),
      way('an error', '(await tools.fail({}).catch((error) => error)).constructor.constructor'),
      way('a method of an error', '(await tools.fail({}).catch((error) => error)).toString.constructor'),
      gives(
        'the source of a tool',
        `return /process|require|import|node:/.test(String(tools.echo)) ? String(tools.echo) : 'contained'`,
      ),
      gives(
        'the caller of a tool',
        `try { return tools.echo.caller ? 'found' : 'contained' } catch { return 'contained' }`,
      ),
      gives(
        'polluted by its prototype',
        `tools.__proto__.polluted = true; const { value } = await tools.echo({ value: 'contained' }); return value`,
      ),
      gives('a tool as a constructor', `try { new tools.echo({}); return 'made' } catch { return 'contained' }`),
    ],
  },
  'answers and calls that are forged': {
    source: 'CVE-2026-37630: code that has the memory of its QuickJS can say whatever its guest could',
    stoppedBy:
      'There is nothing to switch off: what the guest says is read as text, and counts only where it has the form of a message.',
    attacks: [
      gives(
        'an answer given twice',
        `let times = 0; await tools.echo({}).then(() => times++); await tools.echo({}); return times === 1 ? 'contained' : 'twice'`,
      ),
      gives(
        'an answer to another',
        `const all = await Promise.all(Array.from({ length: 20 }, (_, value) => tools.echo({ value }))); return all.every((each, index) => each.value === index) ? 'contained' : 'mixed'`,
      ),
      gives(
        'a replaced tool',
        `const { echo } = tools; tools.echo = () => 5; return (await echo({ value: 'contained' })).value`,
      ),
      gives(
        'replaced tools',
        `const { echo } = tools; globalThis.tools = null; return (await echo({ value: 'contained' })).value`,
      ),
      gives('frozen tools', `Object.freeze(tools); return (await tools.echo({ value: 'contained' })).value`),
      gives(
        'a replaced JSON',
        `JSON.stringify = () => '{"type":"call","id":1,"name":"tools.secret"}'; JSON.parse = () => ({}); return (await tools.echo({ value: 'contained' })).value`,
      ),
      gives(
        'setters for the members of an answer',
        `for (const name of ['id', 'value', 'error', 'code', 'message']) Object.defineProperty(Object.prototype, name, { __proto__: null, set() {}, get() { return 'forged' }, configurable: true }); return (await tools.echo({ a: 'contained' })).a`,
      ),
      ended(
        'toJSON is everywhere',
        `Object.prototype.toJSON = () => ({ type: 'call', id: 1, name: 'tools.secret', input: {} }); await tools.echo({}); return 1`,
      ),
      ended(
        'a replaced Promise',
        `globalThis.Promise = class { constructor(run) { run(() => {}, () => {}) } then() {} }; return tools.echo({})`,
      ),
      ended('a replaced then', `Promise.prototype.then = function () { return this }; await tools.echo({}); return 1`),
      ended(
        'a then on Object.prototype',
        `Object.prototype.then = function (resolve) { resolve('forged') }; return tools.echo({ value: {} })`,
      ),
      ended(
        'a then that never settles, on Object.prototype',
        'Object.prototype.then = () => {}; return tools.echo({ value: {} })',
      ),
      stopped(
        'a then that does not end, on Object.prototype',
        'Object.prototype.then = () => { for (;;); }; return tools.echo({ value: {} })',
      ),
      ended(
        'elements of arrays are getters',
        `Object.defineProperty(Array.prototype, 0, { get() { return 'forged' }, set() {}, configurable: true }); return tools.echo({ value: [1] })`,
      ),
      ended(
        'functions lose call and apply',
        'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = undefined; return tools.echo({})',
      ),
      ended(
        'Error is replaced',
        `globalThis.Error = class { constructor() { for (const name of ['a']) this[name] = halt } }; return tools.fail({}).catch(String)`,
      ),
    ],
  },
};
