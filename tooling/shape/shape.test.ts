import { describe, expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { findOversized } from './find.ts';
import { measure } from './measure.ts';

const lines = (count: number): string => '  count += 1;\n'.repeat(count);

describe('own lines', () => {
  const ownLines = (text: string) => measure('a.tsx', text).map((shape) => [shape.name, shape.ownLines]);

  test('leave out blank lines, comments and nested functions, but count the line that holds one', () => {
    const text = [
      'export function outer() {', // 1
      '  // why',
      '  /* and',
      '     why not */',
      '',
      '  const text = `// no comment`;', // 2
      '  const inner = (a: number) => {', // 3 of outer, 1 of inner
      '    return a;',
      '  };',
      '  const short = [1].map((each) => each);', // 4
      '  return { text, inner, short, method() {', // 5
      '    return 1;',
      '  } };',
      '}', // 6
    ].join('\n');
    expect(ownLines(text)).toEqual([
      ['outer', 6],
      ['inner', 3],
      ['an anonymous function', 1],
      ['method', 3],
    ]);
  });

  test('of a callback are not those of every function without a name in its file', () => {
    expect(ownLines('describe("a", () => {\n  b();\n});\nc((d) => d);')).toEqual([
      ['the callback of describe "a"', 3],
      ['the callback of c', 1],
    ]);
  });

  test('are those of a function in a class, a property or an element of a page, too', () => {
    expect(ownLines('class A {\n  b = () => {\n    c();\n  };\n  d() {\n    e();\n  }\n}')).toEqual([
      ['A', 0],
      ['b', 3],
      ['d', 3],
    ]);
    expect(ownLines('const a = () => (\n  <p>\n    <b onClick={() => {\n      c();\n    }} />\n  </p>\n);')).toEqual([
      ['a', 6],
      ['an anonymous function', 3],
    ]);
  });
});

describe('each planted violation is found', () => {
  const find = (files: Readonly<Record<string, string>>, allowed: readonly string[] = []) =>
    findOversized(fixture(files), allowed);

  test('a function of 81 lines, in whatever source it is, and none of 80', () => {
    const long = `export function long() {\n${lines(79)}}\n`;
    const problem = 'long has 81 lines of its own, over the limit of 80: move a part to a function with a name';
    const files = ['packages/a/src/a.ts', 'apps/a/src/a.tsx', 'tooling/a.test.ts', 'tooling/a/a.mjs', 'a.config.ts'];
    expect(find(Object.fromEntries(files.map((file) => [file, `\n${long}`])))).toEqual(
      [...files].sort().map((file) => `${file}:2: ${problem}`),
    );
    expect(find({ 'packages/a/src/a.ts': `export function short() {\n${lines(78)}}\n` })).toEqual([]);
  });

  test('a method of 81 lines in a short factory, and no factory of 200 lines with short methods', () => {
    const factory = (size: number, count: number) =>
      `export const make = () => ({\n${Array.from({ length: count }, (_, at) => `  method${at}() {\n${lines(size)}  },\n`).join('')}});\n`;
    expect(find({ 'packages/a/src/a.ts': factory(79, 1) })).toEqual([
      expect.stringMatching(/^packages\/a\/src\/a\.ts:2: method0 has 81 lines/),
    ]);
    expect(find({ 'packages/a/src/a.ts': factory(8, 20) })).toEqual([]);
  });

  test.for([
    ['a method of an interface', 'export interface A {\n  b(c: 1, d: 2, e: 3, f: 4): void;\n}', '2: b'],
    ['a property that is a function', 'export interface A {\n  readonly b: (c: 1, d: 2, e: 3, f: 4) => 1;\n}', '2: b'],
    ['the type of a function', 'export type A = (c: 1, d: 2, e: 3, f: 4) => void;', '1: an anonymous function'],
    [
      'a signature without a name',
      'export interface A {\n  (c: 1, d: 2, e: 3, f: 4): void;\n}',
      '2: an anonymous function',
    ],
    ['an overload', 'export function a(c: 1, d: 2, e: 3, f: 4): void;\nexport function a(): void {}', '1: a'],
  ] as const)('%s with four positional parameters', ([, text, place]) => {
    const problem = 'has 4 positional parameters, over the limit of 3: take one object after the third';
    expect(find({ 'packages/a/src/a.ts': text })).toEqual([`packages/a/src/a.ts:${place} ${problem}`]);
  });

  test.for([
    'export function a<B, C, D, E>(): [B, C, D, E] | undefined {\n  return undefined;\n}',
    'export interface a<B, C, D, E> {\n  readonly f: [B, C, D, E];\n}',
    'export type a<B, C, D, E> = [B, C, D, E];',
    'export class a<B, C, D, E> {\n  f?: [B, C, D, E];\n}',
  ])('four type parameters: %s', (text) => {
    expect(find({ 'packages/a/src/a.ts': text })).toEqual([
      'packages/a/src/a.ts:1: a has 4 type parameters, over the limit of 3: infer them from one',
    ]);
  });

  test('an allowance lets one function through, and is itself found when nothing needs it', () => {
    const sources = { 'packages/a/src/a.ts': `export function long() {\n${lines(80)}}\n` };
    expect(find(sources, ['packages/a/src/a.ts long'])).toEqual([]);
    expect(find({ 'packages/a/src/a.ts': 'export {};' }, ['packages/a/src/a.ts long'])).toEqual([
      'packages/a/src/a.ts long: no longer over a limit: remove it from tooling/shape/limits.ts',
    ]);
  });

  test('a source that cannot be parsed, or none at all', () => {
    expect(() => find({ 'packages/a/src/a.ts': 'export const = 1;' })).toThrow('packages/a/src/a.ts: ');
    expect(() => find({})).toThrow('There are no sources in ');
  });
});
