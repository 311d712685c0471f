import { expect, it } from 'vitest';
import { libraryCache } from './library-cache.ts';

const file = (name: string, source = `${name}();`) => ({ name, source });
const bytes = (source: string): Uint8Array => new TextEncoder().encode(source);

function setup() {
  const cache = libraryCache();
  const compiled: string[] = [];
  const learn = (...files: ReturnType<typeof file>[]): void =>
    cache.learn(files, ({ name, source }) => {
      compiled.push(name);
      if (source.startsWith('!')) throw new Error('It is no script.');
      return bytes(source);
    });
  return { cache, compiled, learn };
}

it('compiles a library when it comes for the second time, and never again', () => {
  const { cache, compiled, learn } = setup();
  learn(file('a'), file('b'));
  expect(compiled).toEqual([]);
  learn(file('b'));
  learn(file('b'));
  expect(compiled).toEqual(['b']);
  expect(cache.bytecodeOf(file('a'))).toBeUndefined();
  expect(cache.bytecodeOf(file('b'))).toEqual(bytes('b();'));
});

it('tells libraries apart by their names and all of their text', () => {
  const { cache, learn } = setup();
  for (let n = 0; n < 2; n++) learn(file('ab', 'c'));
  expect(cache.bytecodeOf(file('ab', 'c'))).toBeDefined();
  for (const other of [file('a', 'bc'), file('abc', ''), file('ab', 'cc'), file('2:ab', 'c')])
    expect(cache.bytecodeOf(other)).toBeUndefined();
});

it('tries what is not a script once', () => {
  const { cache, compiled, learn } = setup();
  for (let n = 0; n < 4; n++) learn(file('a', '!'));
  expect(compiled).toEqual(['a']);
  expect(cache.bytecodeOf(file('a', '!'))).toBeUndefined();
});

it('reports an instance that broke', () => {
  const cache = libraryCache();
  cache.learn([file('a')], () => bytes(''));
  const breaks = (): never => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  expect(() => cache.learn([file('a')], breaks)).toThrow('unreachable');
});

it('keeps the newest libraries within its limit, and none that is too long', () => {
  const { cache, learn } = setup();
  const all = Array.from({ length: 6 }, (_, index) => file(`l${index}`, 'x'.repeat(390_000)));
  for (const each of all) for (let n = 0; n < 2; n++) learn(each);
  expect(all.map((each) => cache.bytecodeOf(each) !== undefined)).toEqual([false, true, true, true, true, true]);
  const long = file('long', 'x'.repeat(600_000));
  for (let n = 0; n < 3; n++) learn(long);
  expect(cache.bytecodeOf(long)).toBeUndefined();
});
