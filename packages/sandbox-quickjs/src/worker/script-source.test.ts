import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { looksLikeModule, withoutImports } from './script-source.ts';

describe('import declarations at the beginning', () => {
  it.each([
    [`import '/lib/a.js'`, `await import('/lib/a.js');`],
    [`import a from '/lib/a.js';`, `const { default: a } = await import('/lib/a.js');`],
    [`import * as all from "/lib/a.js";`, `const all = await import("/lib/a.js");`],
    [`import {a, b as c} from '/lib/a.js'`, `const { a, b: c } = await import('/lib/a.js');`],
    [`import d, {a,} from '/lib/a.js'`, `const { default: d, a } = await import('/lib/a.js');`],
    [`import d, * as all from '/lib/a.js'`, `const all = await import('/lib/a.js'), { default: d } = all;`],
    [`import{default as d}from'/lib/a.js'`, `const { default: d } = await import('/lib/a.js');`],
    [`import $from from '/a.js'`, `const { default: $from } = await import('/a.js');`],
    [
      `// a\n/* b */ import a from '/a.js'; import '/b.js'\nreturn a`,
      `// a\n/* b */ const { default: a } = await import('/a.js'); await import('/b.js');\nreturn a`,
    ],
    [`import {\n  a,\n} from '/a.js';\na()`, `const { a } = await import('/a.js');\n\n\na()`],
  ])('%s', (code, expected) => {
    expect(withoutImports(code)).toBe(expected);
  });

  it.each([
    `return import('/lib/a.js')`,
    `import('/lib/a.js')`,
    `import.meta`,
    `const text = "import a from '/a.js'"`,
    `f(); import a from '/a.js'`,
    `import a from`,
    `import { a } { b } from '/a.js'`,
    `importing('/a.js')`,
    `/* import a from '/a.js'`,
    `import ${'a'.repeat(100_000)}`,
    `import ${' '.repeat(100_000)}`,
  ])('are not %s', (code) => {
    expect(withoutImports(code)).toBe(code);
  });

  it('leave all lines where they were', () => {
    const piece = fc.constantFrom(
      `import a from '/a.js'`,
      `import {\nb }\nfrom "/b.js";`,
      '// note',
      '/* a\nb */',
      '\n',
      ' ',
      'f()',
      `'x'`,
      'import',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const code = pieces.join('\n');
        expect(withoutImports(code).split('\n').length).toBe(code.split('\n').length);
      }),
    );
  });
});

it.each([
  ['export const a = 1', true],
  [`  import a from './a.js'`, true],
  ['const exported = 1', false],
  ['// no export', false],
])('%j looks like a module: %s', (source, expected) => {
  expect(looksLikeModule(source)).toBe(expected);
});
