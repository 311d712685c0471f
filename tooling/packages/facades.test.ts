import { expect, test } from 'vitest';
import { facadesOf } from './facades.ts';

test('an entry that only re-exports has a facade for each module, without types', () => {
  const entry = `
    // Tools.
    export { defineTool } from './tool/define.ts';
    export type { Tool } from './tool/tool.ts';
    export { openThread, type Thread } from './thread/index.ts';
    export * from '../errors.ts';
    export type * from './types.ts';
    export { listThreads } from './thread/index.ts';
  `;
  expect(facadesOf(entry, 'index')).toEqual([
    { name: 'index.tool-define', text: "export { defineTool } from './tool/define.ts';\n" },
    {
      name: 'index.thread-index',
      text: "export { openThread, type Thread } from './thread/index.ts';\nexport { listThreads } from './thread/index.ts';\n",
    },
    { name: 'index.-errors', text: "export * from '../errors.ts';\n" },
  ]);
});

test.for([
  ['code of its own', "export { a } from './a.ts';\nexport { b } from './b.ts';\nexport const c = 1;\n"],
  ['an import', "import './c.ts';\nexport { a } from './a.ts';\nexport { b } from './b.ts';\n"],
  ['a directive', "'use client';\nexport { a } from './a.ts';\nexport { b } from './b.ts';\n"],
  ['a local export', "import { a } from './a.ts';\nexport { a };\nexport { b } from './b.ts';\n"],
  ['a single module', "export { a } from './a.ts';\nexport type { B } from './b.ts';\n"],
] as const)('an entry with %s is left whole', ([, entry]) => {
  expect(facadesOf(entry, 'index')).toEqual([]);
});
