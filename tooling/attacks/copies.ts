import { ended } from './attack.ts';
import type { Attack } from './attack.ts';

/** Texts that are cheap in the guest and that its host would copy: by way of everything that crosses. `millions`: characters of each. */
export function copies(millions: number): readonly Attack[] {
  const size = `${millions}e6`;
  const part = (share: number): string => `${Math.floor(millions * share)}e6`;
  return [
    ended('a module with a long name', `return import('/'.repeat(${size})).catch((error) => error.message.length)`),
    ended(
      'a module with many names',
      `return import('a/'.repeat(${part(0.4)})).catch((error) => error.message.length)`,
    ),
    ended(
      'a module with a wide name',
      `return import('漢'.repeat(${part(0.2)})).catch((error) => error.message.length)`,
    ),
    ended('a module from code in a text', `return eval("import('./' + '/'.repeat(${size}))").catch(() => 1)`),
    ended('encoding a text', `return new TextEncoder().encode('x'.repeat(${part(0.2)})).length`),
    ended('encoding a wide text', `return new TextEncoder().encode('漢'.repeat(${part(0.1)})).length`),
    ended('encoding lone surrogates', `return new TextEncoder().encode('\\ud800'.repeat(${part(0.1)})).length`),
    ended('decoding bytes', `return new TextDecoder().decode(new Uint8Array(${part(0.2)}).fill(120)).length`),
    ended('base64 there and back', `return atob(btoa('x'.repeat(${part(0.1)}))).length`),
    ended('a long line', `console.log('x'.repeat(${part(0.4)})); return 1`),
    ended(
      'a long line, with cutting replaced',
      `String.prototype.slice = function () { return this.toString() }; console.log('x'.repeat(${part(0.3)})); return 1`,
    ),
    ended(
      'many long lines, with cutting replaced',
      `String.prototype.slice = function () { return this.toString() }; const line = 'x'.repeat(${part(0.1)}); for (let i = 0; i < 40; i++) console.log(line); return 1`,
    ),
    ended('a long error', `throw new Error('x'.repeat(${part(0.4)}))`),
    ended('a long name of an error', `throw Object.assign(new Error('x'), { name: 'x'.repeat(${part(0.4)}) })`),
    ended('a long stack', `throw Object.assign(new Error('x'), { stack: '\\n    at x'.repeat(${part(0.03)}) })`),
    ended('a long rejection', `Promise.reject(new Error('x'.repeat(${part(0.4)}))); return 1`),
    ended('an error outside of the wrapper', `}); throw new Error('x'.repeat(${part(0.6)})); (async function () {`),
    ended(
      'an error of lone surrogates outside of the wrapper',
      `}); throw new Error('\\ud800'.repeat(${part(0.15)})); (async function () {`,
    ),
    ended(
      'an error outside of the wrapper that tells more each time',
      `}); throw { get message() { return 'x'.repeat(${part(0.6)}) }, get name() { return this.message }, get stack() { return this.message } }; (async function () {`,
    ),
    ended('a long address', `return URL.canParse('https://a.b/' + 'x'.repeat(${part(0.4)}))`),
    ended('a long path', `return fs.exists('/' + 'a/'.repeat(${part(0.1)})).catch((error) => error.message.length)`),
    ended('a long path, waited for', `return fs.existsSync('/' + 'a/'.repeat(${part(0.1)}))`),
    ended(
      'long paths in errors',
      `return fs.rename('/'.repeat(${part(0.1)}), '/a'.repeat(${part(0.05)})).catch((error) => error.message.length)`,
    ),
    ended('a long file', `await fs.writeFile('/a', 'x'.repeat(${part(0.2)})); return 1`),
    ended('a wide file', `await fs.writeFile('/a', '漢'.repeat(${part(0.1)})); return 1`),
    ended('a file of bytes', `await fs.writeFile('/a', new Uint8Array(${part(0.15)})); return 1`),
    ended(
      'a long file, waited for',
      `fs.writeFileSync('/a', 'x'.repeat(${part(0.2)})); return fs.readFileSync('/a', 'utf8').length`,
    ),
    ended('many values', `return fs.exists(new Array(${part(0.05)}).fill(0))`),
    ended(
      'a call of a function that is not there',
      `return fs['readFile']('x', { encoding: 'x'.repeat(${part(0.3)}) })`,
    ),
    ended('halting with a long text', `halt('x'.repeat(${part(0.4)}))`),
    ended(
      'halting with a long text, with cutting replaced',
      `String.prototype.slice = function () { return this.toString() }; halt('x'.repeat(${part(0.3)}))`,
    ),
    ended(
      'a result with cutting replaced',
      `String.prototype.slice = function () { return this.toString() }; return 'x'.repeat(${part(0.3)})`,
    ),
    ended('a long key', `return { ['x'.repeat(${part(0.3)})]: 1 }`),
    ended('a long symbol', `return Symbol('x'.repeat(${part(0.3)}))`),
    ended(
      'a long name of a function',
      `return Object.defineProperty(() => 1, 'name', { value: 'x'.repeat(${part(0.3)}) })`,
    ),
  ];
}
