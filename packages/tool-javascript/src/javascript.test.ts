import { createFiles, createRegistry, emptySettings, resolveToolset, runTool } from '@utensil/core';
import type { Json, ProjectFiles } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, beforeEach, describe, expect, inject, it, test } from 'vitest';
import { javascriptTool } from './javascript.ts';

const worker = new URL(inject('sandboxWorker'));

const sandbox = quickjsSandbox({ worker, maxWorkers: 1 });
afterAll(() => sandbox.close());

let files: ProjectFiles;
beforeEach(() => {
  files = createFiles(memoryStorage());
});

async function answer(code: unknown, options: { readonly [id: string]: Json } = {}) {
  const { output, isError } = await runTool(
    javascriptTool,
    { code: code as Json },
    { host: { files, sandbox }, options },
  );
  return { text: String(output), isError };
}

const textOf = async (code: string): Promise<string> => (await answer(code)).text;

/** The machine may have others to run. */

describe('its input', () => {
  it.each([[undefined], [5], [null], [['return 1']], ['']])('[S0-50] is code, not %j', async (code) => {
    const text = 'Error: code parameter is required and must be a string';
    expect(await answer(code)).toEqual({ text, isError: true });
  });

  it('[S0-50] is the body of an async function in strict mode', async () => {
    expect(await answer('return await Promise.resolve(6 * 7)')).toEqual({ text: '42', isError: false });
    expect(await answer('1 + 1')).toEqual({ text: 'undefined', isError: false });
    expect(await answer('return this')).toEqual({ text: 'undefined', isError: false });
    expect((await answer('undeclared = 1')).text).toMatch(/^ReferenceError: /);
  });

  it('[D0-06] [A0-08] may end in a comment', async () => {
    expect(await textOf('return 1 // one')).toBe('1');
    expect(await textOf('// only this')).toBe('undefined');
    expect((await answer('return 1 /* open')).isError).toBe(true);
  });
});

describe('its output', () => {
  it.each([
    ['"text\\n"', 'text\n'],
    ['({ a: [1, "b"], c: undefined })', '{\n  "a": [\n    1,\n    "b"\n  ]\n}'],
    ['null', 'null'],
    ['undefined', 'undefined'],
    ['true', 'true'],
    ['-0.5', '-0.5'],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['new Date(NaN)', 'Invalid Date'],
    ['12345678901234567890n', '12345678901234567890'],
    ['Symbol("s")', '(no output)'],
    ['[]', '[]'],
    ['({})', '{}'],
    ['function name() {}', '[Function: name]'],
  ])('[S0-51] shows %s', async (value, shown) => {
    expect(await textOf(`return ${value}`)).toBe(shown);
  });

  it.each([
    ['new Map([["a", 1]])', { 'Map(1)': [['a', 1]] }],
    ['({ in: new Set([1, 2]) })', { in: { 'Set(2)': [1, 2] } }],
    ['new Uint8Array([1, 2])', { 'Uint8Array(2)': [1, 2] }],
    ['new BigInt64Array([5n])', { 'BigInt64Array(1)': ['5'] }],
    ['new Uint8Array([7]).buffer', { 'ArrayBuffer(1)': [7] }],
    ['({ big: 5n, re: /x/g, error: new TypeError("no") })', { big: '5', re: '/x/g', error: 'TypeError: no' }],
    ['(() => { const a = { b: {} }; a.b.a = a; return a; })()', { b: { a: '[Circular]' } }],
    ['(() => { const m = new Map(); m.set("m", m); return m; })()', { 'Map(1)': [['m', '[Circular]']] }],
    ['(() => { const a = {}; return [a, a]; })()', [{}, {}]],
  ])('[S0-51] shows %s, which was lost', async (value, shown) => {
    expect(JSON.parse(await textOf(`return ${value}`))).toEqual(shown);
  });

  it('[S0-51] puts what was on the console before the result', async () => {
    const code = `console.log('a', 1, { b: [] }); console.warn('w'); console.error(new Error('e').message); console.info(null); console.debug(); return 5;`;
    const lines = ['[LOG] a 1 {\n  "b": []\n}', '[WARN] w', '[ERROR] e', '[INFO] null', '[DEBUG] '];
    expect(await textOf(code)).toBe(['=== Console output ===', ...lines, '=== Result ===', '5'].join('\n'));
  });

  it('[S0-51] says that a value threw while it was shown', async () => {
    const code = `console.log(new Proxy({}, { get() { throw new Error('no') } }), 2); return 1`;
    expect(await textOf(code)).toContain('[LOG] [An object that cannot be shown: Error: no] 2\n');
  });

  it('[S0-52] names an error with the lines of the sandbox, and none of the host', async () => {
    const { text, isError } = await answer(`function inner() {\n  throw new RangeError('too far');\n}\ninner();`);
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^RangeError: too far\n {4}at inner \(script\.js:2:\d+\)\n {4}at <anonymous> \(script\.js:4:\d+\)$/,
    );
    expect(text).not.toMatch(/node:|file:|\/home|\/tmp|packages|\.ts/);
  });

  it('[S0-52] shows a thrown string unchanged', async () => {
    expect(await answer(`throw 'plain'`)).toEqual({ text: 'plain', isError: true });
    expect(await answer(`throw { code: 5 }`)).toEqual({ text: '{\n  "code": 5\n}', isError: true });
    expect((await answer('return }')).text).toMatch(/^SyntaxError: /);
  });

  it('is bounded for the model, and says so', async () => {
    const { modelParts } = await runTool(
      javascriptTool,
      { code: `return 'x'.repeat(90_000)` },
      { host: { files, sandbox } },
    );
    const [part] = modelParts;
    const text = part?.type === 'text' ? part.text : '';
    expect(text.length).toBeLessThan(21_000);
    expect(text).toContain('left out');
  });

  it('says how many lines of the console are left out', async () => {
    const text = await textOf(`for (let i = 0; i < 1500; i++) console.log(i);`);
    expect(text).toContain('[LOG] 999\n[WARN] 500 more console lines omitted.\n=== Result ===');
  });
});

describe('what code finds', () => {
  it('[S0-53] is the language, fresh for each call', async () => {
    await answer('globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1;');
    expect(
      await textOf('return [typeof left, [].left, [3, 1].toSorted().join(), "a-b".replaceAll("-", "+")].join(" ")'),
    ).toBe('undefined  1,3 a+b');
  });

  it.each([
    'console',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'TextEncoder',
    'TextDecoder',
    'atob',
    'btoa',
    'queueMicrotask',
    'performance',
    'self',
    'halt',
    'fs',
    '__fs',
    'URL',
    'URLSearchParams',
    'crypto',
    'structuredClone',
  ])('[S0-53] has %s', async (name) => {
    expect(await textOf(`return typeof ${name}`)).not.toBe('undefined');
  });

  it.each([
    'fetch',
    'Intl',
    'WebAssembly',
    'process',
    'require',
    'window',
    'module',
    'XMLHttpRequest',
    'postMessage',
    'Worker',
    'Buffer',
    'importScripts',
  ])('[S0-53] has no %s', async (name) => {
    expect(await textOf(`return typeof ${name}`)).toBe('undefined');
  });

  it('[S0-53] encodes and decodes', async () => {
    expect(await textOf(`return [...new TextEncoder().encode('é€😀')].join()`)).toBe(
      '195,169,226,130,172,240,159,152,128',
    );
    expect(await textOf(`return new TextDecoder().decode(new TextEncoder().encode('é€😀'))`)).toBe('é€😀');
    expect(await textOf(`return new TextDecoder().decode(new Uint8Array([0x61, 0xff, 0xe2, 0x82, 0x62]))`)).toBe(
      'a��b',
    );
    expect(await textOf(`new TextDecoder('latin1')`)).toMatch(/^RangeError: Only UTF-8 encoding is supported/);
    expect(await textOf(`return btoa('hällo') + atob('aGk=')`)).toBe('aORsbG8=hi');
    expect(await textOf(`atob('?')`)).toMatch(/^InvalidCharacterError: /);
    expect(await textOf(`btoa('€')`)).toMatch(/^InvalidCharacterError: /);
  });
});

describe('its limits', () => {
  it.each([1, 2])('[S0-54] end a script after the %i s that the user has chosen', async (timeLimit) => {
    const { text, isError } = await answer(`console.log('begun'); for (;;);`, { timeLimit });
    expect(isError).toBe(true);
    expect(text).toBe(`=== Console output ===\n[LOG] begun\n=== Result ===\nError: Execution timeout (${timeLimit}s)`);
  });

  it('[A0-05] hold for a loop and for a memory bomb, and the next call is well', async () => {
    expect((await answer('for (;;);', { timeLimit: 1 })).text).toBe('Error: Execution timeout (1s)');
    expect((await answer('const all = []; for (;;) all.push(new Uint8Array(1e6));')).text).toMatch(/out of memory/);
    expect((await answer('return "x".repeat(200_000)')).text).toMatch(/x… \[100000 of 200000 characters left out\]$/);
    expect(await textOf('return 6 * 7')).toBe('42');
  });
});

describe('its event loop', () => {
  it('[S0-55] ends at once if nothing can settle the promise', async () => {
    const text = 'Error: Promise did not resolve within timeout';
    expect(await answer('await new Promise(() => {})')).toEqual({ text, isError: true });
  });

  it('[S0-55] runs the timers and operations that are left after the return', async () => {
    const code = `setTimeout(() => console.log('timer'), 20); fs.exists('/').then((is) => console.log('fs', is)); return 'first';`;
    const lines = (await textOf(code)).split('\n');
    expect(lines.slice(1, 3).sort()).toEqual(['[LOG] fs true', '[LOG] timer']); // the first call of `fs` loads its code
    expect(lines.slice(3)).toEqual(['=== Result ===', 'first']);
  });

  it('[D0-04] [A0-08] has intervals, and reports what a timer throws', async () => {
    const code = `
      let count = 0;
      setTimeout(() => { throw new TypeError('in a timer'); }, 1);
      await new Promise((done) => { const id = setInterval(() => { if (++count === 3) { clearInterval(id); done(); } }, 2); });
      return count;`;
    expect(await textOf(code)).toMatch(
      /^=== Console output ===\n\[ERROR\] Uncaught TypeError: in a timer\n {4}at <anonymous> \(script\.js:3:\d+\)\n=== Result ===\n3$/,
    );
  });

  it('[D0-04] is over when only intervals are left', async () => {
    expect(await textOf('setInterval(() => {}, 1); return 1')).toBe('1');
  });

  it('[D0-05] [A0-08] runs timers in the order of their delays', async () => {
    const code = `setTimeout(() => console.log(400), 400); setTimeout(() => console.log(200), 200); setTimeout(() => console.log(0)); setTimeout(() => console.log('200, too'), 200); await 0; console.log('now')`;
    expect((await textOf(code)).split('\n').slice(1, 6)).toEqual([
      '[LOG] now',
      '[LOG] 0',
      '[LOG] 200',
      '[LOG] 200, too',
      '[LOG] 400',
    ]);
  });

  it('[S0-56] is stopped by halt, which nothing catches', async () => {
    const code = `console.log('before'); try { halt('enough'); } catch { console.log('caught'); } finally { console.log('finally'); } return 1;`;
    const text = '=== Console output ===\n[LOG] before\n[ERROR] enough\n=== Result ===\nHalted';
    expect(await answer(code)).toEqual({ text, isError: true });
    expect(await answer(`await (async () => halt())().catch(() => console.log('caught'))`)).toEqual({
      text: '=== Console output ===\n[ERROR] Halted\n=== Result ===\nHalted',
      isError: true,
    });
  });
});

describe('fs', () => {
  it('[S0-57] does what its names say', async () => {
    await files.write('/bytes.bin', Uint8Array.of(0, 255, 1));
    const code = `
      await fs.writeFile('/a/b.txt', 'héllo');
      await fs.writeFile('/a/c.bin', new Uint16Array([1, 2]));
      await fs.writeFile('/a/d.bin', new Uint8Array([9, 8]).buffer);
      await fs.mkdir('/empty');
      await fs.rename('/a/d.bin', '/a/e.bin');
      const read = await fs.readFile('/bytes.bin');
      const stat = await fs.stat('/a/b.txt');
      const answers = [
        read instanceof ArrayBuffer, [...new Uint8Array(read)].join(),
        await fs.readFile('/a/b.txt', 'utf8'), await fs.readFile('/a/b.txt', { encoding: 'utf-8' }),
        await fs.exists('/a'), await fs.exists('/b'), (await fs.readdir('/a')).join(), (await fs.readdir('/empty')).length,
        stat.isFile, stat.isDirectory, stat.size, stat.readonly, Math.abs(stat.mtime - Date.now()) < 60_000, stat.isBinary, stat.mime,
        (await fs.stat('/bytes.bin')).isBinary, (await fs.stat('/a')).isDirectory, fs === __fs,
      ];
      await fs.unlink('/bytes.bin'); await fs.rmdir('/empty'); await fs.rmdir('/a', true);
      answers.push((await fs.readdir('/')).length);
      return answers.join(' ');`;
    expect(await textOf(code)).toBe(
      'true 0,255,1 héllo héllo true false b.txt,c.bin,e.bin 0 true false 6 false true false text/plain true true true 0',
    );
  });

  it.each([
    [`readFile('/none')`, `ENOENT: no such file or directory, '/none'`],
    [`stat('/none')`, `ENOENT: no such file or directory, '/none'`],
    [`readdir('/none')`, `ENOENT: no such file or directory, '/none'`],
    [`unlink('/none')`, `ENOENT: no such file or directory, '/none'`],
    [`rmdir('/none')`, `ENOENT: no such file or directory, '/none'`],
    [`rename('/none', '/b')`, `ENOENT: no such file or directory, '/none'`],
    [`mkdir('/dir')`, `EEXIST: file already exists, '/dir'`],
    [`rename('/dir/a.txt', '/dir/b.txt')`, `EEXIST: file already exists, '/dir/b.txt'`],
    [`readFile('/dir')`, `EISDIR: illegal operation on a directory, '/dir'`],
    [`writeFile('/dir', '')`, `EISDIR: illegal operation on a directory, '/dir'`],
    [`unlink('/dir')`, `EISDIR: illegal operation on a directory, '/dir'`],
    [`readdir('/dir/a.txt')`, `ENOTDIR: not a directory, '/dir/a.txt'`],
    [`rmdir('/dir/a.txt')`, `ENOTDIR: not a directory, '/dir/a.txt'`],
    [`rmdir('/dir')`, `ENOTEMPTY: directory not empty, '/dir'`],
    [`writeFile('/x', { a: 1 })`, `EINVAL: invalid argument, data must be string or buffer, '/x'`],
    [`writeFile('/x')`, `EINVAL: invalid argument, data must be string or buffer, '/x'`],
    ['readFile()', `EINVAL: missing required argument 'path' for fs.readFile`],
    ['exists()', `EINVAL: missing required argument 'path' for fs.exists`],
    [`writeFile('/memories/a.md', '')`, `EROFS: read-only file system, write '/memories/a.md'`],
    [`writeFile('/Memories/b.md', '')`, `EROFS: read-only file system, write '/Memories/b.md'`],
    [`mkdir('/memories/x')`, `EROFS: read-only file system, mkdir '/memories/x'`],
    [`unlink('/memories/a.md')`, `EROFS: read-only file system, unlink '/memories/a.md'`],
    [`rmdir('/memories', true)`, `EROFS: read-only file system, rmdir '/memories'`],
    [`rename('/memories/a.md', '/a.md')`, `EROFS: read-only file system, rename '/memories/a.md'`],
    [`rename('/dir/a.txt', '/memories/b.md')`, `EROFS: read-only file system, rename '/memories/b.md'`],
  ])('[S0-58] says of fs.%s what POSIX says', async (call, text) => {
    await files.write('/dir/a.txt', 'a');
    await files.write('/dir/b.txt', 'b');
    await files.write('/memories/a.md', 'm');
    const [first, ...places] = (await textOf(`await fs.${call}`)).split('\n');
    expect(first).toBe(`Error: ${text}`);
    for (const place of places) expect(place).toMatch(/^ {4}at .*script\.js:1:\d+\)$/);
    expect(await textOf(`try { await fs.${call} } catch (error) { return error.code }`)).toBe(text.split(':')[0]);
    expect((await files.readText('/memories/a.md')).text).toBe('m');
  });

  it('keeps what a script wrote when it succeeds, and nothing of one that does not', async () => {
    await files.write('/kept.txt', 'before');
    for (const end of [`throw new Error('no')`, `halt('no')`, 'for (;;);', 'await new Promise(() => {})']) {
      const { isError } = await answer(
        `await fs.writeFile('/kept.txt', 'after'); await fs.writeFile('/new.txt', ''); ${end}`,
        { timeLimit: 1 },
      );
      expect(isError).toBe(true);
      expect((await files.readText('/kept.txt')).text).toBe('before');
      expect(await files.stat('/new.txt')).toBeUndefined();
    }
    await answer(`await fs.writeFile('/kept.txt', 'after'); await fs.writeFile('/new.txt', '')`);
    expect((await files.readText('/kept.txt')).text).toBe('after');
    expect(await files.stat('/new.txt')).toBeDefined();
  });
});

describe('libraries', () => {
  const write = async (scripts: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, code] of Object.entries(scripts)) await files.write(path, code);
  };

  it('[S0-59] [A0-06] run before, in the order of their names, the shared ones first', async () => {
    await write({
      '/lib/b.js': `order.push('b'); function helper() { return order.join(); }`,
      '/lib/a.js': `order.push('a'); console.log('from a'); console.warn('and more');`,
      '/lib/deep/c.js': `order.push('deep');`,
      '/lib/notes.txt': 'no code',
      '/lib/broken.js': `order.push('broken'); throw new Error('cannot');`,
      '/lib/wrong.js': 'const = 5',
      '/share/lib/z.js': `var order = ['z'];`,
    });
    const { text, isError } = await answer(`console.log('own'); return helper();`);
    expect(isError).toBe(false);
    const [shown, rest] = text.split('=== Console output ===\n');
    expect(shown).toMatch(
      /^=== Output of library a\.js ===\n\[LOG\] from a\n\[WARN\] and more\n=== Output of library broken\.js ===\n\[ERROR\] Error: cannot\n {4}at .*\(\/lib\/broken\.js:1:\d+\)\n=== Output of library wrong\.js ===\n\[ERROR\] SyntaxError: [^\n]*\n[^=]*$/,
    );
    expect(rest).toBe('[LOG] own\n=== Result ===\nz,a,b,broken');
  });

  it('[S0-59] are left out if the user has turned them off', async () => {
    await write({ '/lib/a.js': 'var a = 1;', '/share/lib/s.js': 'var s = 1;' });
    const code = 'return typeof a + typeof s';
    expect((await answer(code)).text).toBe('numbernumber');
    expect((await answer(code, { loadLib: false })).text).toBe('undefinednumber');
    expect((await answer(code, { loadShareLib: false })).text).toBe('numberundefined');
  });

  it('can be modules, which are imported', async () => {
    await write({
      '/lib/math.js': `import { half } from './deep/half.js'; export default (n) => half(n) + 1; export const zero = 0;`,
      '/lib/deep/half.js': 'export const half = (n) => n / 2;',
    });
    const imports = `// first\nimport plus, { zero as none } from '/lib/math.js';\nimport * as all from "/lib/math.js"; import { half } from '/lib/deep/half.js'`;
    expect(await answer(`${imports}\nreturn [plus(4), none, Object.keys(all).join(), half(1)].join(' ')`)).toEqual({
      text: '3 0 default,zero 0.5',
      isError: false,
    });
    expect(await textOf(`return (await import('/lib/math.js')).default(2)`)).toBe('2');
    expect(await textOf(`import x from 'lodash'`)).toContain(`Cannot find module 'lodash': import a file below /lib`);
    expect(await textOf(`import x from '/etc/passwd'`)).toContain(`Cannot find module '/etc/passwd'`);
  });
});

describe('its description', () => {
  it('tells what the user has chosen', () => {
    const describe = (options: { readonly [id: string]: Json }): string => {
      const settings = { ...emptySettings, tools: { javascript: { enabled: true, options } } };
      const toolset = resolveToolset(createRegistry([javascriptTool]), settings, { files, sandbox });
      const [definition] = toolset.definitions({ api: 'openai-responses' });
      return definition?.type === 'function' ? definition.description : '';
    };
    expect(describe({})).toContain('in /share/lib and /lib are run before');
    expect(describe({ loadShareLib: false, timeLimit: 9 })).toContain('in /lib are run before');
    expect(describe({ loadLib: false, loadShareLib: false })).not.toContain('are run before');
    expect(describe({ timeLimit: 9 })).toContain('9 seconds of work, and 34 with waiting');
  });
});

describe('the suite for every tool', () => {
  toolSuite({ test }, javascriptTool, {
    host: () => ({ files: createFiles(memoryStorage()), sandbox }),
    examples: [{ code: 'return 1 + 1' }, { code: `await fs.writeFile('/a.txt', 'a')` }],
  });
});
