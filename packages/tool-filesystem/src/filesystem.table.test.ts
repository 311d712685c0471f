import { rowsOf, runRow, titleOf } from '@utensil/tooling-texts';
import { describe, expect, it } from 'vitest';
import { filesystemTool } from './filesystem.ts';

describe('every text, as the model sees it', () => {
  it.each(rowsOf('filesystem').map((row) => [titleOf(row), row] as const))('%s', async (_, row) => {
    const { actual, expected } = await runRow(filesystemTool, row);
    expect(actual).toEqual(expected);
  });
});
