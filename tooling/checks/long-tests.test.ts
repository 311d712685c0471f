import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { longTests } from './long-tests.ts';

const texts = {
  'a/alone.test.ts': `const runs = inject('isLong') ? 9 : 1;`,
  'a/kit/all.ts': `export const stride = inject('isLong') ? 1 : 3;`,
  'a/kit/through.ts': `export { stride } from './all.ts';`,
  'a/direct.test.ts': `import { stride } from './kit/all.ts';`,
  'b/indirect.test.ts': `import { stride } from '../a/kit/through.ts';`,
  'b/whole.test.ts': `import { whole } from './whole.ts';`,
  'b/whole.ts': 'export const whole = true;',
  'b/README.md': `inject('isLong')`,
};
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'utensil-long-tests-'));
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});
afterAll(() => rmSync(root, { recursive: true }));

it('finds the tests that sample by themselves, or by a file that they import', () => {
  expect(longTests(root, Object.keys(texts))).toEqual(['a/alone.test.ts', 'a/direct.test.ts', 'b/indirect.test.ts']);
});
