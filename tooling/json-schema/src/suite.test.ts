import { describe, expect, it } from 'vitest';
import { exceptionOf, exceptions } from './exceptions.ts';
import { groupsOf, verdictOf } from './suite.ts';

/** The cases of each draft, and those that pass. The others are refused, each with a reason. */
const figures = [
  { draft: 'draft2020-12', passed: 1213, cases: 1299 },
  { draft: 'draft7', passed: 900, cases: 927 },
] as const;

describe.each(figures)('the official JSON Schema Test Suite, $draft: $passed of $cases', ({ draft, passed, cases }) => {
  const groups = groupsOf(draft);

  it('judges every value of a schema that it takes as the suite does, and refuses the others in words', async () => {
    const wrong: string[] = [];
    let count = 0;
    for (const group of groups) {
      const reason = exceptionOf(group.file, group.description);
      for (const each of group.tests) {
        const verdict = await verdictOf(group, each);
        const isAsExpected = reason === undefined ? verdict === each.valid : String(verdict).includes(reason.says);
        if (!isAsExpected) wrong.push(`${group.file}: ${group.description}: ${each.description}: ${String(verdict)}`);
        if (verdict === each.valid) count++;
      }
    }
    expect(wrong).toEqual([]);
    expect([count, groups.flatMap(({ tests }) => tests).length]).toEqual([passed, cases]);
  });
});

it('has no exception for a group that is not in the suite', () => {
  const groups = figures.flatMap(({ draft }) => groupsOf(draft));
  const missing = exceptions.flatMap(({ file, groups: named = [] }) => {
    const inFile = groups.filter((group) => group.file === file).map(({ description }) => description);
    return inFile.length === 0 ? [file] : named.filter((name) => !inFile.includes(name));
  });
  expect(missing).toEqual([]);
});
