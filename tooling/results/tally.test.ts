import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { filesToTryAlone } from './alone.ts';
import { joinReports, readReport, replaceInReport } from './report.ts';
import { forgetStrayErrors, strayErrorsReporter } from './stray-errors.ts';
import { type Tally, tally } from './tally.ts';

const suite = 'packages/a/src/a.test.ts';

/** Counts the report of a workspace that has one package with one suite. */
function count(
  testResults: readonly object[],
  options: { readonly ok?: boolean; readonly complete?: boolean } = {},
): Tally {
  const root = fixture({ 'packages/a/package.json': {}, [suite]: '' });
  const named = testResults.map((result) => ({ name: join(root, suite), status: 'passed', message: '', ...result }));
  mkdirSync(join(root, '.results'));
  writeFileSync(join(root, '.results/vitest.json'), JSON.stringify({ testResults: named }));
  return tally(root, { complete: true, ok: true, ...options });
}

const tests = (...states: readonly string[]) => ({ assertionResults: states.map((status) => ({ status })) });

test('counts passed, failed and skipped tests', () => {
  const counts = count([tests('passed', 'passed', 'failed', 'skipped', 'todo', 'pending')], { ok: false });
  expect(counts).toEqual({ passed: 2, failed: 1, skipped: 3, complaints: [] });
});

test('complains about a file that could not be loaded', () => {
  const { complaints } = count([{ ...tests(), status: 'failed', message: 'SyntaxError: no\nat a.ts' }], { ok: false });
  expect(complaints).toContain(`${suite}: SyntaxError: no`);
});

test('complains about a test file that was not run, and about its package', () => {
  expect(count([]).complaints).toEqual([`${suite}: was not run`, 'packages/a/src: no test ran']);
});

test('complains about a package whose tests were all skipped', () => {
  expect(count([tests('skipped')]).complaints).toEqual(['packages/a/src: no test ran']);
});

test('complains about neither, where only some tests were asked for', () => {
  expect(count([], { complete: false }).complaints).toEqual([]);
});

test('complains about a run that failed outside of its tests', () => {
  expect(count([tests('passed')], { ok: false }).complaints).toEqual(['Vitest failed outside of its tests']);
});

test('complains about a missing report', () => {
  const { complaints } = tally(fixture({}), { complete: false, ok: true });
  expect(complaints).toEqual([expect.stringContaining('There is no report of the tests')]);
});

test('joins the reports of several runs, and gives none if one is missing', () => {
  const root = fixture({});
  mkdirSync(join(root, '.results'));
  const report = (name: string): object => ({
    name: join(root, name),
    status: 'passed',
    message: '',
    assertionResults: [],
  });
  const write = (part: string, ...names: readonly string[]): void =>
    writeFileSync(join(root, part), JSON.stringify({ testResults: names.map(report) }));
  const [one, other] = ['.results/one.json', '.results/other.json'];
  write(one, 'a.test.ts', 'b.test.ts');
  joinReports(root, [one, other]);
  expect(() => readReport(root)).toThrow('There is no report');
  expect(existsSync(join(root, one))).toBe(false);
  write(one, 'a.test.ts', 'b.test.ts');
  write(other, 'c.test.ts');
  joinReports(root, [one, other]);
  expect(readReport(root).map(({ file }) => file)).toEqual(['a.test.ts', 'b.test.ts', 'c.test.ts']);
});

describe('after the tests', () => {
  const failed = (name: string, status = 'failed'): object => ({ name, ...tests(status), status, message: '' });
  const write = (root: string, part: string, results: readonly object[]): void => {
    mkdirSync(join(root, '.results'), { recursive: true });
    writeFileSync(join(root, part), JSON.stringify({ testResults: results }));
  };
  const reported = (...names: readonly string[]): string => {
    const root = fixture({});
    write(
      root,
      '.results/vitest.json',
      names.map((name) => failed(join(root, name))),
    );
    return root;
  };
  const say = (root: string, message: string): void =>
    void strayErrorsReporter(root).onTestRunEnd([], [{ message }], 'failed');

  test('a few files that failed are tried by themselves, many are not', () => {
    expect(filesToTryAlone(reported('a.test.ts', 'b.test.ts'))).toEqual(['a.test.ts', 'b.test.ts']);
    expect(filesToTryAlone(reported('a', 'b', 'c', 'd', 'e', 'f'))).toEqual([]);
    expect(filesToTryAlone(fixture({}))).toEqual([]);
  });

  test('nothing is tried again if an error belonged to no test, which is a complaint', () => {
    const root = reported('a.test.ts');
    say(root, 'nobody awaited this\n  at a.ts');
    expect(filesToTryAlone(root)).toEqual([]);
    expect(tally(root, { complete: false, ok: false }).complaints).toEqual(['outside of a test: nobody awaited this']);
    forgetStrayErrors(root);
    expect(tally(root, { complete: false, ok: false }).complaints).toEqual([]);
  });

  test('the second attempt of a file counts', () => {
    const root = reported('a.test.ts', 'b.test.ts');
    write(root, '.results/alone.json', [failed(join(root, 'a.test.ts'), 'passed'), failed(join(root, 'b.test.ts'))]);
    replaceInReport(root, '.results/alone.json');
    expect(tally(root, { complete: false, ok: false })).toMatchObject({ passed: 1, failed: 1 });
    expect(existsSync(join(root, '.results/alone.json'))).toBe(false);
  });
});
