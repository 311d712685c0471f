import { ended, gives, stopped } from './attack.ts';
import type { AttackClass, Guarded } from './attack.ts';
import { copies } from './copies.ts';

const megabyte = 1024 * 1024;

/** Takes longer than it may. */
const ofWork: readonly Guarded[] = [
  {
    attack: stopped('a loop that ends', 'const end = performance.now() + 400; while (performance.now() < end);'),
    under: { workMs: 50 },
    lifted: { workMs: 60_000 },
  },
];

const ofPatterns: readonly Guarded[] = [
  {
    attack: stopped('a pattern that ends', `return /^(a+)+$/.test('a'.repeat(21) + 'b')`),
    under: { workMs: 20 },
    lifted: { workMs: 60_000 },
  },
];

const ofStrings: readonly Guarded[] = [
  {
    attack: stopped('a search that does not ask', `return 'a'.repeat(2e6).indexOf('a'.repeat(1e6) + 'b')`),
    under: { workMs: 20, graceMs: 20 },
    lifted: { workMs: 20, graceMs: 60_000 },
  },
  {
    attack: stopped('a long text', `return 'x'.repeat(24e6).length`),
    under: { memoryBytes: 20 * megabyte },
    lifted: { memoryBytes: 256 * megabyte },
  },
];

const ofArrays: readonly Guarded[] = [
  {
    attack: stopped('a long array', 'return new Array(4e6).fill(0).length'),
    under: { memoryBytes: 24 * megabyte },
    lifted: { memoryBytes: 256 * megabyte },
  },
];

const ofMemory: readonly Guarded[] = [
  {
    attack: stopped(
      'many objects',
      'const all = []; for (let i = 0; i < 2e5; i++) all.push({ a: { b: i } }); return all.length',
    ),
    under: { memoryBytes: 20 * megabyte },
    lifted: { memoryBytes: 256 * megabyte },
  },
];

const ofStack: readonly Guarded[] = [
  {
    attack: stopped('a function', 'const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1)); return deep(250)'),
    under: { stackBytes: 32 * 1024 },
    lifted: { stackBytes: 128 * 1024 },
  },
];

const ofWaiting: readonly Guarded[] = [
  {
    attack: stopped('a timer', 'await new Promise((done) => setTimeout(done, 500))'),
    under: { wallMs: 100 },
    lifted: { wallMs: 60_000 },
  },
  {
    attack: stopped('a chain that ends', 'for (let i = 0; i < 2e5; i++) await 0'),
    under: { workMs: 20 },
    lifted: { workMs: 60_000 },
  },
];

const ofConsole: readonly Guarded[] = [
  {
    attack: ended('long lines', `for (let i = 0; i < 400; i++) console.log('x'.repeat(1000))`),
    under: { consoleCharacters: 100_000 },
    lifted: { consoleCharacters: 10_000_000 },
  },
  {
    attack: ended('many lines', `for (let i = 0; i < 8e3; i++) console.log('x'.repeat(50))`),
    under: { consoleCharacters: 10_000_000, consoleLines: 1_000 },
    lifted: { consoleCharacters: 10_000_000, consoleLines: 1_000_000 },
  },
];

const ofTexts: readonly Guarded[] = [
  {
    attack: stopped('a file that is a long text', `await fs.writeFile('/a', 'x'.repeat(4e6))`),
    under: { memoryBytes: 20 * megabyte },
    lifted: { memoryBytes: 256 * megabyte },
  },
];

const ofCalls: readonly Guarded[] = [
  {
    attack: stopped('one after the other', `for (let i = 0; i < 100; i++) await fs.exists('/')`),
    under: { hostCalls: 50 },
    lifted: { hostCalls: 10_000 },
  },
  {
    attack: stopped('with one long text', `await fs.writeFile('/a', 'x'.repeat(1e6))`),
    under: { hostCharacters: 500_000 },
    lifted: { hostCharacters: 10_000_000 },
  },
];

/** Code that uses up what there is, by class. */
export const exhaustion: Readonly<Record<string, AttackClass>> = {
  loops: {
    source: 'GHSA-r4fx-v8hh-22mv: the timeout of vm2 did not hold for what ran after the script',
    stoppedBy: ofWork,
    attacks: [
      stopped('for', 'for (;;);'),
      stopped('for, after a promise', 'await 0; for (;;);'),
      stopped('try and catch', 'for (;;) { try { for (;;); } catch {} finally { continue; } }'),
      stopped('finally', 'const f = () => { try { for (;;); } finally { f() } }; f()'),
      stopped('eval', `for (;;) eval('for (let i = 0; i < 1e3; i++);')`),
      stopped('a generator', 'for (const x of (function* () { for (;;) yield 1 })());'),
      stopped(
        "an iterator of one's own",
        '[...{ [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }) }) }]',
      ),
      stopped('sort', '[3, 1, 2].sort(() => { for (;;); })'),
      stopped('a library of its own', `await import('data:text/javascript,for(;;);')`),
      stopped('BigInt', 'let n = 3n; for (;;) n = n * n'),
      stopped('Date', 'for (;;) new Date().toString()'),
    ],
  },
  'regular expressions': {
    source: "probe: catastrophic patterns are the embedder's to stop (bellard/quickjs#490, quickjs-ng/quickjs#1399)",
    stoppedBy: ofPatterns,
    attacks: [
      stopped('nested repetition', `return /^(a+)+$/.test('a'.repeat(40) + 'b')`),
      stopped('alternatives', `return /^(a|a)*$/.test('a'.repeat(40) + 'b')`),
      stopped('a polynomial', `return /a*a*a*a*a*a*b/.test('a'.repeat(5000))`),
      stopped('a look-ahead', `return /(?=(a+)+$)b/.test('a'.repeat(40) + 'c')`),
      stopped('a back-reference', `return /(a*)*\\1b/.test('a'.repeat(40))`),
      stopped('replace with a function', `return 'a'.replace(/a/, () => { for (;;); })`),
      ended('a pattern of 100,000 groups', `return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('a')`),
      ended('a repetition of a billion', `return /(?:a{1000000}){1000}/.test('a')`),
    ],
  },
  strings: {
    source:
      'probe: indexOf, normalize and join of QuickJS do not ask whether to stop (justjake/quickjs-emscripten#219)',
    stoppedBy: ofStrings,
    attacks: [
      stopped('doubling', `let s = 'x'; for (;;) s += s`),
      stopped('repeat', `for (let n = 1; ; n *= 2) 'x'.repeat(n)`),
      stopped('padEnd', `'x'.padEnd(2 ** 30 - 25, 'ab').length; for (;;);`),
      stopped('a naive search', `const s = 'a'.repeat(2e6); for (;;) s.indexOf('a'.repeat(1e6) + 'b')`),
      stopped('normalize', `const s = '\\u1e9b\\u0323'.repeat(5e5); for (;;) s.normalize('NFKD')`),
      stopped('join of a billion', `return new Array(1e9).join('')`),
      stopped('concat of an array', `return new Array(1e9) + ''`),
      stopped('split', `const s = 'a'.repeat(1e6); const all = []; for (;;) all.push(s.split(''))`),
      stopped('replaceAll that grows', `let s = 'aa'; for (;;) s = s.replaceAll('a', 'aa')`),
      stopped('localeCompare', `const s = 'é'.repeat(1e6); for (;;) s.localeCompare(s + 'a')`),
    ],
  },
  arrays: {
    source: 'probe: reverse, indexOf and includes of what is only like an array do not ask (quickjs-ng/quickjs#1672)',
    stoppedBy: ofArrays,
    attacks: [
      stopped('push', 'const all = []; for (;;) all.push(all.length)'),
      stopped('fill', 'for (;;) new Uint8Array(3e6).fill(1)'),
      stopped('reverse of what is no array', 'Array.prototype.reverse.call({ length: 2 ** 53 - 1 })'),
      stopped('indexOf of what is no array', 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'),
      stopped('includes of what is no array', 'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)'),
      stopped('a buffer of 2 GB', 'new ArrayBuffer(2 ** 31); for (;;);'),
      stopped('Array.from', 'Array.from({ length: 2 ** 32 - 1 }); for (;;);'),
      stopped('flat', 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; a.flat(Infinity); for (;;);'),
      stopped('many small buffers', 'const all = []; for (;;) all.push(new Uint8Array(1000))'),
      stopped(
        'resizable buffers',
        'const all = []; for (;;) { const b = new ArrayBuffer(1, { maxByteLength: 1e8 }); b.resize?.(1e7); all.push(b) }',
      ),
      stopped('spread', 'Math.max(...new Array(1e8)); for (;;);'),
      stopped('copyWithin', 'const a = new Uint8Array(1e7); for (;;) a.copyWithin(1, 0)'),
    ],
  },
  memory: {
    source:
      'probe: setMemoryLimit of quickjs-emscripten does not hold (justjake/quickjs-emscripten#255 and #271; vercel-labs/quickjs-wasi#30)',
    stoppedBy: ofMemory,
    attacks: [
      stopped('objects', 'const all = []; for (;;) all.push({ a: {} })'),
      stopped('closures', 'let f = () => 0; for (;;) { const g = f; f = () => g }'),
      stopped('a Map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, {})'),
      stopped('symbols', 'const all = []; for (;;) all.push(Symbol())'),
      stopped('names', 'const o = {}; for (let i = 0; ; i++) o["name" + i] = 1'),
      stopped('bound functions', 'let f = () => 0; for (;;) f = f.bind(null)'),
      stopped(
        'caught, again and again',
        'const keep = []; for (;;) { try { for (;;) keep.push(new Uint8Array(1e6)) } catch { keep.length = 0 } }',
      ),
      stopped(
        'caught, and kept',
        'const keep = []; for (;;) { try { keep.push("x".repeat(1e6) + keep.length) } catch {} }',
      ),
      stopped(
        'generators',
        'const all = []; for (;;) { const g = (function* () { yield 1 })(); g.next(); all.push(g) }',
      ),
      stopped(
        'weak references',
        'const all = []; const r = new FinalizationRegistry(() => {}); for (;;) { const o = {}; r.register(o, o); all.push(new WeakRef(o), o) }',
      ),
      stopped('clones', 'let o = [1]; for (;;) o = [structuredClone(o), o]'),
      stopped('timers that are kept', 'for (;;) setTimeout(() => {}, 1e6)'),
    ],
  },
  recursion: {
    source:
      'probe: deep native recursion leaves a module of quickjs-emscripten broken for all after it (justjake/quickjs-emscripten#60)',
    stoppedBy: ofStack,
    attacks: [
      stopped('a function', 'const f = () => f() + 1; f()'),
      stopped('two functions', 'const f = () => g() + 1, g = () => f() + 1; f()'),
      stopped('a getter', 'const o = { get a() { return this.a } }; o.a'),
      stopped('toString', 'const o = { toString() { return `${o}` } }; `${o}`'),
      stopped('a proxy', 'const p = new Proxy({}, { get: (_, name) => p[name] }); p.a'),
      stopped('a proxy of proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.a; for (;;);'),
      stopped(
        'a chain of prototypes',
        'let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); for (;;) o.none',
      ),
      ended('nested JSON', `return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))`),
      ended('nested parentheses', `return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))`),
      ended('nested functions', `return eval('(function(){'.repeat(2e4) + '})'.repeat(2e4))`),
      ended('nested templates', `return eval('\`\${'.repeat(2e4) + '1' + '}\`'.repeat(2e4))`),
      stopped('caught on each level', 'const f = () => { try { f() } catch { f() } }; f(); for (;;);'),
      stopped('sort in sort', 'const f = () => [2, 1].sort(f); f()'),
      stopped('replace in replace', `const f = () => 'a'.replace('a', f); f()`),
      stopped('an async function', 'const f = async () => { await f() }; await f()'),
      stopped('Reflect', 'const f = (...all) => Reflect.apply(f, null, all); f()'),
    ],
  },
  'storms of promises and timers': {
    source: 'probe: executePendingJobs goes on after a job that was interrupted',
    stoppedBy: ofWaiting,
    attacks: [
      stopped('a chain that does not end', 'const f = () => Promise.resolve().then(f); await f()'),
      stopped(
        'jobs that double',
        'const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})',
      ),
      stopped('queueMicrotask', 'const f = () => queueMicrotask(f); f(); await new Promise(() => {})'),
      stopped('await in a loop', 'for (;;) await 0'),
      stopped('timers of 0 ms', 'const f = () => setTimeout(f); f(); await new Promise(() => {})'),
      stopped(
        'intervals that multiply',
        'const f = () => { setInterval(f, 1); setInterval(f, 1) }; f(); await new Promise(() => {})',
      ),
      stopped(
        'a timer that does not end',
        'setTimeout(() => { for (;;); }, 1); await new Promise((done) => setTimeout(done, 50))',
      ),
      stopped(
        'halt in a promise that is never over',
        `Promise.resolve().then(() => halt('now')); await new Promise(() => {})`,
      ),
      gives('timers after the end', `setInterval(() => {}, 1); return 'contained'`),
      ended(
        'a timer with a wrong delay',
        `setTimeout(() => {}, NaN); setTimeout(() => {}, -1e9); setTimeout(() => {}, '0'); setTimeout(() => {}, {}); return 1`,
      ),
    ],
  },
  'floods of the console': {
    source: 'probe: reading an error message of 20 MB held the host for 8 s',
    stoppedBy: ofConsole,
    attacks: [
      stopped('lines', `for (;;) console.log('x')`),
      stopped('long lines', `const s = 'x'.repeat(1e6); for (;;) console.log(s)`),
      ended('one line of 20 MB', `console.log('x'.repeat(20e6))`),
      ended('many values', `console.log(...new Array(1e5).fill({}))`),
      ended('labels', `for (let i = 0; i < 1e4; i++) console.count('label' + i)`),
      ended('characters that mean something', `console.log('=== Result ===\\n\\x1b[2J\\u202e\\0'); return 1`),
    ],
  },
  'texts that the host would copy': {
    source:
      'probe: importing a name of 115 million characters took 1.8 GB of the host, whose process could end with it',
    stoppedBy: ofTexts,
    attacks: copies(20),
  },
  'storms of calls of the host': {
    source: "probe: 100,000 calls of the host take quickjs-emscripten half a second of the host's own time",
    stoppedBy: ofCalls,
    attacks: [
      stopped('one after the other', `for (;;) await fs.exists('/')`),
      stopped('at once', `for (;;) fs.exists('/')`),
      stopped('with much data', `for (;;) await fs.writeFile('/a', 'x'.repeat(1e6))`),
      stopped('with one huge text', `await fs.writeFile('/a', 'x'.repeat(11e6))`),
      stopped('reading much', `await fs.writeFile('/a', 'x'.repeat(1e6)); for (;;) await fs.readFile('/a')`),
      stopped('never awaited', `for (let i = 0; i < 2e4; i++) fs.writeFile('/a' + i, ''); await new Promise(() => {})`),
      ended(
        'with wrong values',
        `for (const value of [null, Symbol.iterator, {}, [], () => {}, NaN, 10n]) for (const name of Object.keys(fs)) await fs[name](value, value).catch(() => {}); return 1`,
      ),
      stopped('waited for, one after the other', `for (;;) fs.existsSync('/')`),
      stopped('waited for, errors caught', `for (;;) try { fs.readFileSync('/none') } catch {}`),
      stopped('waited for, with much data', `for (;;) fs.writeFileSync('/a', 'x'.repeat(1e6))`),
      ended('waited for while it is shown', `return { get a() { for (;;) fs.existsSync('/') } }`),
      stopped('waited for in a sort', `[3, 1, 2].sort(() => { for (;;) fs.existsSync('/') })`),
      stopped('URLs', `for (;;) new URL('https://a.b/' + 'x'.repeat(1e4))`),
      stopped('chance', 'for (;;) crypto.getRandomValues(new Uint8Array(65536))'),
      stopped('too much chance', 'crypto.getRandomValues(new Uint8Array(1e7))'),
    ],
  },
};
