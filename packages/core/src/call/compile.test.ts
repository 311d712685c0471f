import { expect, it } from 'vitest';
import { option } from '../tool/option.ts';
import { tool } from '../test-kit/runs.ts';
import { compileTool } from './compile.ts';

it('compiles a tool again for settings that were asked for longest ago, and for no others', () => {
  let compiled = 0;
  const sized = tool('sized', {
    options: { lines: option.number({ label: 'Lines', default: 0 }) },
    description: () => `${++compiled}`,
  });
  const first = compileTool(sized, { lines: 1 });
  for (let lines = 2; lines <= 40; lines++) {
    compileTool(sized, { lines });
    expect(compileTool(sized, { lines: 1 })).toBe(first);
  }
  expect(compiled).toBe(40);
  compileTool(sized, { lines: 2 });
  expect(compiled).toBe(41);
});
