import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { countInstantiations, programWith } from './instantiations.ts';

const core = {
  'app/node_modules/zod/package.json': { name: 'zod', type: 'module', types: 'index.d.ts' },
  'app/node_modules/zod/index.d.ts': `
    export interface Type<Value> { readonly value: Value; optional(): Type<Value | undefined> }
    export declare function string(): Type<string>;
    export declare function number(): Type<number>;
    export declare function boolean(): Type<boolean>;
    export declare function object<Shape extends Record<string, Type<unknown>>>(
      shape: Shape,
    ): Type<{ [Name in keyof Shape]: Shape[Name]['value'] }>;
  `,
  'app/node_modules/@utensil/core/package.json': { name: '@utensil/core', type: 'module', types: 'index.d.ts' },
  'app/node_modules/@utensil/core/index.d.ts': `
    export interface Tool<Input> { readonly name: string; readonly input: { readonly value: Input }; execute(input: Input): unknown }
    export declare function defineTool<Input>(tool: Tool<Input> & { description: string; effects: 'read' }): Tool<Input>;
    export declare function createRegistry(tools: readonly Tool<any>[]): object;
  `,
};

test('each tool of a program adds to its count, and nothing is left of the program', () => {
  const folder = join(fixture(core), 'app');
  const [few, more] = [2, 4].map((tools) => countInstantiations(folder, programWith(tools)));
  expect(few).toBeGreaterThan(0);
  expect(more).toBeGreaterThan(few ?? Infinity);
  expect(existsSync(join(folder, '.results/instantiations'))).toBe(false);
});

test("a program with errors is not counted, and the compiler's message is printed", () => {
  expect(() => countInstantiations(fixture({ 'app/a.txt': '' }), programWith(1))).toThrow(
    "Types were not counted:\nprogram.ts(1,44): error TS2307: Cannot find module '@utensil/core'",
  );
});
