// What hostile code does, as data: by class, the name of each attack and its code.

/**
 * What is to come of it: `stopped`, it cannot succeed; `ended`, it may, but must end; or it succeeds, and gives exactly this:
 * where code looks for a way out, what it found.
 */
export type Outcome = 'stopped' | 'ended' | { readonly gives: string };

export interface Attack {
  readonly name: string;
  readonly code: string;
  readonly outcome: Outcome;
}

const gives = (name: string, code: string, text = 'contained'): Attack => ({ name, code, outcome: { gives: text } });
const stopped = (name: string, code: string): Attack => ({ name, code, outcome: 'stopped' });
const ended = (name: string, code: string): Attack => ({ name, code, outcome: 'ended' });

/** Looks for a process, a module loader or a network, by way of a function's constructor. */
const escapes = (path: string): string => `
  const make = ${path};
  const found = make('return [typeof process, typeof require, typeof fetch, typeof WebAssembly, typeof Deno, typeof importScripts].join()')();
  return found === 'undefined,undefined,undefined,undefined,undefined,undefined' ? 'contained' : found;`;

const way = (name: string, path: string): Attack => gives(name, escapes(path));

export const attacks: Readonly<Record<string, readonly Attack[]>> = {
  'escapes by constructors': [
    way('Function', 'Function'),
    way('the constructor of a function', '(() => {}).constructor'),
    way('the constructor of a constructor', '({}).constructor.constructor'),
    way('console.log', 'console.log.constructor'),
    way('a function of fs', 'fs.exists.constructor.prototype.__proto__.constructor'),
    way('setTimeout', 'setTimeout.constructor'),
    way('URL', 'URL.constructor'),
    way('halt', 'Object.getPrototypeOf(halt).constructor'),
    way('Reflect', 'Reflect.getPrototypeOf(Reflect.construct).constructor'),
    way('a getter', `Object.getOwnPropertyDescriptor(URL.prototype, 'href').get.constructor`),
    gives(
      'the constructors of generators and async functions',
      `const makers = [function* () {}, async function () {}, async function* () {}].map((each) => each.constructor);
       const [generator, later] = [makers[0]('yield typeof process'), makers[1]('return typeof require')];
       return [...generator()].concat(await later()).join() === 'undefined,undefined' ? 'contained' : 'escaped';`,
    ),
    gives(
      'eval',
      `return (0, eval)('typeof process + typeof require') === 'undefinedundefined' ? 'contained' : 'escaped'`,
    ),
  ],
  'escapes by prototypes': [
    gives(
      'polluted Object.prototype',
      `Object.prototype.status = 'done'; Object.prototype.polluted = true; Object.prototype.isClean = true; return 'contained'`,
    ),
    gives(
      '__proto__ as a key',
      `await fs.writeFile('/a.json', '{"__proto__": {"polluted": true}}'); JSON.parse(await fs.readFile('/a.json', 'utf8')); return 'contained'`,
    ),
    gives(
      '__proto__ as a file',
      `await fs.writeFile('/__proto__', 'x'); await fs.writeFile('/constructor/prototype', 'y'); const names = await fs.readdir('/'); return names.includes('__proto__') && names.includes('constructor') ? 'contained' : 'lost'`,
    ),
    gives(
      'setters on Object.prototype',
      `for (const name of ['type', 'id', 'name', 'input', 'text']) Object.defineProperty(Object.prototype, name, { set() {}, get() { return 'halt'; }, configurable: true }); return 'contained'`,
    ),
    gives(
      'an array whose members are getters',
      `Object.defineProperty(Array.prototype, 0, { get() { return 'x'; }, set() {}, configurable: true }); return 'contained'`,
    ),
    gives(
      'the globals, one by one',
      `const names = Object.getOwnPropertyNames(globalThis).filter((name) => /process|require|Deno|Bun|fetch|Worker|post|std|^os$|bjson|import/i.test(name)); return names.join() || 'contained'`,
    ),
  ],
  'escapes by errors': [
    gives(
      'a stack that names the host',
      `try { null.x } catch (error) { return /node:|file:|\\/(?:home|tmp|work|root|usr)\\b|\\.ts\\b/.test(error.stack) ? error.stack : 'contained' }`,
    ),
    gives(
      'an error of the host',
      `try { await fs.readFile('/none') } catch (error) { return /node:|file:|\\/(?:home|tmp|work|root|usr)\\b|\\.ts\\b/.test(error.stack + error.message) ? error.stack : 'contained' }`,
    ),
    gives(
      'the constructor of an error of the host',
      `try { await fs.readFile('/none') } catch (error) { return error instanceof Error && error.constructor === Error && error.constructor.constructor('return typeof process')() === 'undefined' ? 'contained' : 'escaped' }`,
    ),
    gives(
      'a module that is not there',
      `try { await import('/none.js') } catch (error) { return /node:|file:|\\.ts\\b/.test(error.stack + error.message) ? error.stack : 'contained' }`,
    ),
    gives(
      'Error.prepareStackTrace',
      `Error.prepareStackTrace = (error, frames) => frames; try { null.x } catch (error) { const stack = error.stack; return Array.isArray(stack) && stack.some((frame) => frame.getThis?.()?.process) ? 'escaped' : 'contained' }`,
    ),
    gives(
      'an overflow of the stack, caught',
      `const deep = () => { try { return deep() } catch (error) { return error.constructor.constructor('return typeof process')() } }; return deep() === 'undefined' ? 'contained' : 'escaped'`,
    ),
    stopped(
      'an error with getters',
      `throw Object.defineProperties(new Error(), { message: { get() { throw new Error('again'); } }, name: { get() { throw this; } } })`,
    ),
    stopped(
      'an error whose getter does not end',
      `throw Object.defineProperty(new Error(), 'message', { get() { for (;;); } })`,
    ),
    stopped('an error of 20 MB', `throw new Error('x'.repeat(20e6))`),
    stopped('a thrown proxy', `throw new Proxy({}, { get() { for (;;); }, getPrototypeOf() { for (;;); } })`),
  ],
  'escapes by promises': [
    gives('a thenable as the result', `return { then(resolve) { resolve('contained') } }`),
    stopped('a thenable that never settles', `return { then() {} }`),
    stopped('a thenable that does not end', `return { then() { for (;;); } }`),
    gives(
      'a promise of the host',
      `const promise = fs.exists('/'); return promise.constructor === Promise && promise.then.constructor('return typeof process')() === 'undefined' ? 'contained' : 'escaped'`,
    ),
    gives(
      'a replaced Promise',
      `globalThis.Promise = class extends Promise { then(a, b) { return super.then((value) => a?.(value), b) } }; await fs.exists('/'); return 'contained'`,
    ),
    ended('a replaced then', `Promise.prototype.then = function () { return this }; await fs.exists('/'); return 1`),
    ended(
      'Symbol.species',
      `class Own extends Promise { static get [Symbol.species]() { return Array } } await new Own((done) => done()); return 'contained'`,
    ),
  ],
  'values that act when they are shown': [
    stopped('a getter that does not end', `return { get a() { for (;;); } }`),
    stopped('toJSON that does not end', `return { toJSON() { for (;;); } }`),
    stopped('a proxy that does not end', `return new Proxy({}, { ownKeys() { for (;;); } })`),
    ended('a getter that throws', `return { get a() { throw new Error('no'); } }`),
    ended('a proxy that was revoked', `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy`),
    ended(
      'a proxy of endless depth',
      `const endless = () => new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: 1 }), get: endless }); return endless()`,
    ),
    ended('a sparse array', `const a = []; a[4294967290] = 1; return a`),
    ended('an object of 200,000 levels', `let a = {}; for (let i = 0; i < 200_000; i++) a = { a }; return a`),
    ended('a million members', `return Array.from({ length: 1e6 }, (_, i) => i)`),
    ended(
      'a Map of all that there is',
      `const m = new Map(); m.set(m, new Set([m])); m.set(globalThis, globalThis); return m`,
    ),
    ended('all globals', `return globalThis`),
    ended('a symbol, a function and a hole', `return [Symbol.iterator, () => {}, , undefined, NaN, -0]`),
    ended('a class with a name that is a getter', `return class { static get name() { throw new Error('name') } }`),
    ended(
      'a date that lies',
      `const date = new Date(); date.toISOString = () => { throw new Error('no') }; return date`,
    ),
    gives(
      'a lone surrogate and a NUL',
      `return 'a\\0b' === 'a\\u0000b' && '\\ud800'.length === 1 ? 'contained' : 'cut'`,
    ),
  ],
  loops: [
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
  'regular expressions': [
    stopped('nested repetition', `return /^(a+)+$/.test('a'.repeat(40) + 'b')`),
    stopped('alternatives', `return /^(a|a)*$/.test('a'.repeat(40) + 'b')`),
    stopped('a polynomial', `return /a*a*a*a*a*a*b/.test('a'.repeat(5000))`),
    stopped('a look-ahead', `return /(?=(a+)+$)b/.test('a'.repeat(40) + 'c')`),
    stopped('a back-reference', `return /(a*)*\\1b/.test('a'.repeat(40))`),
    stopped('replace with a function', `return 'a'.replace(/a/, () => { for (;;); })`),
    ended('a pattern of 100,000 groups', `return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('a')`),
    ended('a repetition of a billion', `return /(?:a{1000000}){1000}/.test('a')`),
  ],
  strings: [
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
  arrays: [
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
  memory: [
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
    stopped('generators', 'const all = []; for (;;) { const g = (function* () { yield 1 })(); g.next(); all.push(g) }'),
    stopped(
      'weak references',
      'const all = []; const r = new FinalizationRegistry(() => {}); for (;;) { const o = {}; r.register(o, o); all.push(new WeakRef(o), o) }',
    ),
    stopped('clones', 'let o = [1]; for (;;) o = [structuredClone(o), o]'),
    stopped('timers that are kept', 'for (;;) setTimeout(() => {}, 1e6)'),
  ],
  recursion: [
    stopped('a function', 'const f = () => f() + 1; f()'),
    stopped('two functions', 'const f = () => g() + 1, g = () => f() + 1; f()'),
    stopped('a getter', 'const o = { get a() { return this.a } }; o.a'),
    stopped('toString', 'const o = { toString() { return `${o}` } }; `${o}`'),
    stopped('a proxy', 'const p = new Proxy({}, { get: (_, name) => p[name] }); p.a'),
    stopped('a proxy of proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.a; for (;;);'),
    stopped('a chain of prototypes', 'let o = {}; for (let i = 0; i < 1e5; i++) o = Object.create(o); for (;;) o.none'),
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
  'storms of promises and timers': [
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
  'floods of the console': [
    stopped('lines', `for (;;) console.log('x')`),
    stopped('long lines', `const s = 'x'.repeat(1e6); for (;;) console.log(s)`),
    ended('one line of 20 MB', `console.log('x'.repeat(20e6))`),
    ended('many values', `console.log(...new Array(1e5).fill({}))`),
    ended('labels', `for (let i = 0; i < 1e4; i++) console.count('label' + i)`),
    ended('characters that mean something', `console.log('=== Result ===\\n\\x1b[2J\\u202e\\0'); return 1`),
  ],
  'storms of calls of the host': [
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
    stopped('URLs', `for (;;) new URL('https://a.b/' + 'x'.repeat(1e4))`),
    stopped('chance', 'for (;;) crypto.getRandomValues(new Uint8Array(65536))'),
    stopped('too much chance', 'crypto.getRandomValues(new Uint8Array(1e7))'),
  ],
  paths: [
    ...[
      '../../../etc/passwd',
      '/../../etc/passwd',
      '/etc/passwd',
      'file:///etc/passwd',
      '/proc/self/environ',
      '/./../etc/passwd',
      '//etc/passwd',
      '/%2e%2e/etc/passwd',
    ].map((path) =>
      gives(
        `reading ${path}`,
        `return fs.readFile('${path}', 'utf8').then((text) => text, (error) => /^ENOENT|^ENOTDIR|^EINVAL/.test(error.message) ? 'contained' : error.message)`,
      ),
    ),
    ...['/a\\\\b', '/a\\0b', '/a\\nb', '/\\ud800', '', '/' + 'x'.repeat(300), '/a'.repeat(600)].map((path) =>
      gives(
        `writing to ${JSON.stringify(path).slice(0, 20)}`,
        `return fs.writeFile('${path}', 'x').then(() => 'written', (error) => /^(?:EINVAL|ENAMETOOLONG)/.test(error.message) ? 'contained' : error.message)`,
      ),
    ),
    ...[
      '/memories/a',
      '/memories/../memories/a',
      '/./memories/a',
      '//memories//a',
      'memories/a',
      '/x/../memories/a',
    ].map((path) =>
      gives(
        `changing ${path}`,
        `return fs.writeFile('${path}', 'x').then(() => 'written', (error) => /^EROFS/.test(error.message) ? 'contained' : error.message)`,
      ),
    ),
    gives('moving what is read-only', `return fs.rename('/', '/b').then(() => 'moved', () => 'contained')`),
    gives('removing all', `return fs.rmdir('/', true).then(() => 'removed', () => 'contained')`),
    gives(
      'the data of the storage',
      `return (await fs.readdir('/')).filter((name) => name.startsWith('.')).join() || 'contained'`,
    ),
    ...[
      'fs',
      'node:fs',
      '../secret.js',
      '/etc/passwd',
      'https://example.com/x.js',
      '/lib/../../etc/passwd',
      'file:///etc/passwd',
    ].map((path) => gives(`importing ${path}`, `return import('${path}').then(() => 'imported', () => 'contained')`)),
  ],
  "the sandbox's own parts": [
    ended(
      'JSON is replaced',
      `JSON.stringify = () => '{"type":"settled","isError":false,"text":"forged"}'; JSON.parse = () => ({}); await fs.exists('/'); return 1`,
    ),
    ended(
      'Array.prototype is replaced',
      `for (const name of ['push', 'map', 'filter', 'join', 'slice', 'splice', 'forEach', 'find']) Array.prototype[name] = () => { throw new Error('mine') }; console.log([1]); await fs.exists('/'); return [1]`,
    ),
    ended(
      'Map is replaced',
      `Map.prototype.get = () => ({ resolve: () => {}, reject: () => {} }); Map.prototype.delete = () => true; await fs.exists('/'); return 1`,
    ),
    ended(
      'Object is replaced',
      `Object.defineProperty = () => { throw new Error('mine') }; globalThis.Object = undefined; await fs.exists('/'); return {}`,
    ),
    ended(
      'Math, Number and String are replaced',
      `Number = String = Math = undefined; setTimeout(() => {}, 1); return 5`,
    ),
    ended('the console is replaced', `globalThis.console = { log: (x) => x }; console.log(1); return 1`),
    stopped('the wrapper is closed', `} ); for (;;); (function () {`),
    stopped('the wrapper is closed, and its function replaced', `}), 5, (async function () { for (;;);`),
    ended('a script that gives no function', `}), ({ then: 5 }`),
    gives('arguments and callers', `try { return String(arguments.callee.caller) } catch { return 'contained' }`),
    gives(
      'the names of the sandbox',
      `return [typeof say, typeof ask, typeof kit, typeof guest, typeof native].every((each) => each === 'undefined') ? 'contained' : 'found'`,
    ),
    gives(
      'the source of its functions',
      `return /\\bprocess\\b|\\brequire\\(|\\bimport\\(|node:/.test([halt, setTimeout, URL, fs.readFile, console.log].map(String).join()) ? 'found' : 'contained'`,
    ),
  ],
};
