import { rowsOf, runRow, titleOf } from '@utensil/tooling-texts';
import { describe, expect, it } from 'vitest';
import { memoryTool } from './memory.ts';

describe('every text, as the model sees it', () => {
  it.each(rowsOf('memory').map((row) => [titleOf(row), row] as const))('%s', async (_, row) => {
    const { actual, expected } = await runRow(memoryTool, row);
    expect(actual).toEqual(expected);
  });
});
