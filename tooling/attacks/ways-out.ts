import { ended, gives, stopped, way } from './attack.ts';
import type { AttackClass, Guarded } from './attack.ts';

/** There is nothing to switch off. */
const apart = 'The guest has a memory of its own, and objects of its own: text is all that goes in and out.';

const ofResults: readonly Guarded[] = [
  {
    attack: ended('a long text', `return 'x'.repeat(400_000)`),
    under: { resultCharacters: 100_000 },
    lifted: { resultCharacters: 10_000_000 },
  },
  {
    attack: stopped(
      'a getter that takes its time',
      'return { get a() { const end = performance.now() + 400; while (performance.now() < end); return 1 } }',
    ),
    under: { workMs: 50 },
    lifted: { workMs: 60_000 },
  },
];

const ofPaths: readonly Guarded[] = [
  {
    attack: gives(
      'changing /memories/a',
      `return fs.writeFile('/memories/a', 'x').then(() => 'written', (error) => /^EROFS/.test(error.message) ? 'contained' : error.message)`,
    ),
    under: { readOnly: ['/memories'] },
    lifted: { readOnly: [] },
  },
];

/** Code that looks for a way out, by class. */
export const waysOut: Readonly<Record<string, AttackClass>> = {
  'escapes by constructors': {
    source: 'CVE-2025-68613: expressions of n8n reached the process through constructors',
    stoppedBy: apart,
    attacks: [
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
  },
  'escapes by prototypes': {
    source: 'CVE-2026-47210: promises in vm2 had the prototypes of the host',
    stoppedBy: apart,
    attacks: [
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
  },
  'escapes by errors': {
    source:
      'CVE-2022-36067 and GHSA-x6m4-chr9-cg97: in vm2, Error.prepareStackTrace saw frames of the host, and stacks its paths',
    stoppedBy: apart,
    attacks: [
      gives(
        'a stack that names the host',
        `try { null.x } catch (error) { return /node:|file:|\\/(?:home|tmp|root|usr)\\b|\\.ts\\b/.test(error.stack) ? error.stack : 'contained' }`,
      ),
      gives(
        'an error of the host',
        `try { await fs.readFile('/none') } catch (error) { return /node:|file:|\\/(?:home|tmp|root|usr)\\b|\\.ts\\b/.test(error.stack + error.message) ? error.stack : 'contained' }`,
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
        "the sandbox's own functions, by the frames of a stack",
        `const found = [];
         Error.prepareStackTrace = (error, frames) => {
           for (const frame of frames)
             for (const name of [...Object.getOwnPropertyNames(Object.getPrototypeOf(frame)), 'getFunction', 'getThis']) {
               let value;
               try { value = frame[name]() } catch {}
               if (typeof value === 'function' || typeof value === 'object' && value !== null) found.push(name);
             }
           return 'a stack';
         };
         const look = { toJSON() { new Error().stack; Error.captureStackTrace?.({}); return 1 }, get a() { new Error().stack; return 1 } };
         fs.exists(look).catch(() => {});
         fs.exists({ toString: () => (new Error().stack, '/') });
         console.log(look);
         await fs.exists('/');
         return found.join() || 'contained'`,
      ),
      ended(
        'forged messages, by functions that a stack names',
        `const found = new Set();
         Error.prepareStackTrace = (error, frames) => { for (const frame of frames) found.add(frame.getFunction?.()); return '' };
         const look = { toJSON() { new Error().stack; return 1 }, get a() { new Error().stack; return 1 } };
         if (typeof tools !== 'undefined') tools.echo(look).catch(() => {});
         fs.exists({ toString: () => (new Error().stack, '/') });
         console.log(look);
         const long = 'x'.repeat(1e6);
         for (const call of found)
           for (const type of ['console', 'settled', 'halt', 'call'])
             try { call({ type, level: long, text: long, isError: false, id: 1, name: long, input: long }) } catch {}
         return 1`,
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
  },
  'escapes by promises': {
    source: 'CVE-2026-22709: callbacks of promises in vm2 were given errors of the host',
    stoppedBy: apart,
    attacks: [
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
  },
  'values that act when they are shown': {
    source:
      'probe: dump() of quickjs-emscripten and quickjs-wasi runs getters, traps and toJSON, and a sparse array ends the process',
    stoppedBy: ofResults,
    attacks: [
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
  },
  paths: {
    source: 'CVE-2025-53110: the MCP server for files compared the beginnings of paths',
    stoppedBy: ofPaths,
    attacks: [
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
      gives(
        'changing what is read-only, waited for',
        `try { fs.writeFileSync('/memories/a', 'x'); return 'written' } catch (error) { return /^(?:EROFS|fs\\.writeFileSync cannot be had)/.test(error.message) ? 'contained' : error.message }`,
      ),
      gives(
        'reading /etc/passwd, waited for',
        `try { return fs.readFileSync('/etc/passwd', 'utf8') } catch (error) { return /^(?:ENOENT|fs\\.readFileSync cannot be had)/.test(error.message) ? 'contained' : error.message }`,
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
  },
  "the sandbox's own parts": {
    source: 'CVE-2026-44001: one rejected promise in vm2 took the host down with it',
    stoppedBy: apart,
    attacks: [
      ended(
        'toJSON is everywhere',
        `Object.prototype.toJSON = () => ({ type: 'settled', isError: 'forged', text: {} }); console.log({}); await fs.exists('/'); return {}`,
      ),
      ended(
        'members are read-only',
        `Object.prototype.text = 5; Object.freeze(Object.prototype); Object.freeze(Array.prototype); await fs.exists('/'); return [1]`,
      ),
      ended(
        'numbers and strings lie',
        `Number.prototype.valueOf = String.prototype.valueOf = String.prototype.toString = () => { throw new Error('mine') }; setTimeout(() => {}); return 5`,
      ),
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
      ended(
        'callbacks of the sandbox, stolen by what it calls',
        `const stolen = [];
         const steal = (owner, names) => {
           for (const name of names) {
             const { [name]: was } = owner;
             owner[name] = function (...given) {
               stolen.push(...given.filter((each) => typeof each === 'function'), this);
               return Reflect.apply(was, this, given);
             };
           }
         };
         steal(Array.prototype, ['map', 'filter', 'findIndex', 'splice', 'push']);
         const Former = Promise;
         globalThis.Promise = class extends Former { constructor(start) { stolen.push(start); super(start) } };
         console.log({}, [1]);
         setTimeout(() => {}, 1);
         await fs.exists('/');
         Array.prototype.map = (each) => each;
         for (const each of stolen.slice(0, 50))
           for (const given of [{ type: 'console', level: 'x'.repeat(1e5), text: 'x' }, 'x'.repeat(1e5), 5])
             try { each(given, given) } catch {}
         return 1`,
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
  },
};
