import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { loadSubjects } from './subjects.ts';

it('[A0-01] has a row for every text of the tools and for every id, and all of them pass', async () => {
  const subjects = await loadSubjects();
  const failed: string[] = [];
  const ids = new Set<string | null>();
  for (const { name, texts, rows, run } of subjects) {
    expect(Object.keys(texts).length).toBeGreaterThan(5);
    expect(new Set(rows.map(({ literal }) => literal))).toEqual(new Set(Object.keys(texts)));
    for (const row of rows) {
      const { actual, expected } = await run(row);
      if (!isDeepStrictEqual(actual, expected)) failed.push(`${name}: ${row.title}`);
      ids.add(row.id);
    }
  }
  expect(failed).toEqual([]);
  for (let number = 31; number <= 49; number++) expect(ids).toContain(`S0-${number}`);
});
