import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import type { RunTest } from '../results/tests.ts';
import { type Api, apis as realApis } from './apis.ts';
import { type Cloud, cloudProblems, cloudResults, clouds as realClouds } from './clouds.ts';
import { features as realFeatures } from './features.ts';
import { renderPage } from './page.ts';
import { pageProblems, tableProblems } from './problems.ts';
import { resultsOf } from './results.ts';

const api = (id: string, block?: string): Api => ({
  id,
  name: id,
  factory: id,
  package: 'packages/provider-a',
  vendor: 'somebody',
  places: [{ file: 'a.test.ts', ...(block !== undefined && { block }) }],
  lowered: ['Much is lowered.'],
});

const apis = [api('a'), api('b', 'the other')];
const features = [
  { name: 'speech', titles: ['speaks', 'sings'] },
  { name: 'silence', titles: ['is silent'] },
];

const ran = (title: string, block?: string, passed = true): RunTest => ({
  file: 'a.test.ts',
  ancestors: block === undefined ? [] : [block],
  title,
  passed,
});

const all = features.flatMap(({ titles }) => titles).flatMap((title) => [ran(title), ran(title, 'the other')]);

const tableOf = (tests: readonly RunTest[], named: typeof features = features) => ({
  apis,
  features: named,
  results: resultsOf(apis, tests),
});

/** The tests with others replacing those with the same title, in the block of `b`. */
function instead(title: string, ...others: readonly RunTest[]): readonly RunTest[] {
  return [...all.filter((each) => each.title !== title || each.ancestors.length === 0), ...others];
}

describe('the page', () => {
  test('has a row for each feature, and a mark for each api', () => {
    const page = renderPage(tableOf(all));
    expect(page).toContain('| speech | ✓ | ✓ |\n| silence | ✓ | ✓ |');
    expect(page).toContain('**speech**: speaks; sings');
    expect(page).toContain('Much is lowered.');
    expect(page).toContain('Nothing here was tested against a live vendor.');
  });

  test('says why something is left out, completely or in part', () => {
    const mute = instead('is silent', ran("leaves out 'is silent': It hums.", 'the other'));
    expect(renderPage(tableOf(mute))).toMatch(/\| silence \| ✓ \| – \(1\) \|\n\n1\. It hums\.\n/);
    const hoarse = instead('sings', ran("leaves out 'sings': It has no voice.", 'the other'));
    expect(renderPage(tableOf(hoarse))).toMatch(/\| speech \| ✓ \| in part \(1\) \|\n/);
  });

  test('shows what has failed, or did not run, as not proven', () => {
    expect(renderPage(tableOf(instead('sings')))).toContain('| speech | ✓ | not proven |');
    expect(renderPage(tableOf(instead('sings', ran('sings', 'the other', false))))).toContain('| ✓ | not proven |');
  });
});

describe('the problems', () => {
  test('are none if all is well', () => {
    expect(tableProblems(tableOf(all))).toEqual([]);
    expect(pageProblems('a page', 'a page')).toEqual([]);
  });

  test('are a title that no test has, and a test that no row has', () => {
    const [speech, silence] = features;
    const named = [
      { name: 'speech', titles: [...(speech?.titles ?? []), 'whistles'] },
      { name: 'silence', titles: [] },
    ];
    expect(silence?.titles).toEqual(['is silent']);
    expect(tableProblems(tableOf(all, named))).toEqual([
      expect.stringContaining("'whistles' is no test of any api"),
      expect.stringContaining("'is silent' stands in no row"),
    ]);
  });

  test('are a test in two rows', () => {
    const named = [...features, { name: 'song', titles: ['sings'] }];
    expect(tableProblems(tableOf(all, named))).toEqual(["'sings' stands in two rows"]);
  });

  test('are a test that failed, one that did not run, and an api without tests', () => {
    expect(tableProblems(tableOf(instead('sings', ran('sings', 'the other', false))))).toEqual(["b: 'sings' failed"]);
    expect(tableProblems(tableOf(instead('sings')))).toEqual(["b: 'sings' did not run, and no reason is given"]);
    const one = all.filter(({ ancestors }) => ancestors.length === 0);
    expect(tableProblems(tableOf(one))).toEqual([expect.stringContaining('b: none of its tests ran')]);
  });

  test('are a reason that no longer holds', () => {
    const stale = instead('sings', ran("leaves out 'sings': It has no voice.", 'the other', false));
    expect(tableProblems(tableOf(stale))).toEqual(["b: 'sings' failed"]);
  });

  test('are a page that is not what the tests prove', () => {
    expect(pageProblems('| speech | ✓ |', '| speech | – |')).toEqual([
      expect.stringContaining('npm run models'),
      '- | speech | ✓ |',
      '+ | speech | – |',
    ]);
  });
});

describe('clouds', () => {
  const cloud: Cloud = { factory: 'c', entry: '@a/c', vendor: 'someone', like: 'b', place: { file: 'c.test.ts' } };
  const there = (title: string, passed = true): RunTest => ({ ...ran(title, undefined, passed), file: 'c.test.ts' });
  const on = (...tests: readonly RunTest[]) => cloudResults([cloud], { apis, tests: [...all, ...tests] });

  test('have a row, with what is left out and why', () => {
    const clouds = on(
      there('speaks'),
      there("leaves out 'sings': It has no voice."),
      there('is silent'),
      there('rains'),
    );
    expect(cloudProblems(clouds)).toEqual([]);
    const page = renderPage({ ...tableOf(all), clouds });
    expect(page).toContain('| `c` of `@a/c` | someone | `b` | 2 of 3 | It has no voice. |');
  });

  test('are a problem where a test of their api failed, or did not run', () => {
    expect(cloudProblems(on(there('speaks'), there('sings', false)))).toEqual([
      "c: 'sings' failed",
      "c: 'is silent' did not run",
    ]);
    const [stray] = cloudProblems(cloudResults([{ ...cloud, like: 'nobody' }], { apis, tests: all }));
    expect(stray).toContain('there is no suite of nobody');
  });
});

describe('the program', () => {
  const start = (root: string, ...words: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...words], { cwd: root, encoding: 'utf8' });

  /** The report of a run in which every API passed every test of every row, except for `change`. */
  function writeReport(root: string, change: (title: string) => string | undefined = (title) => title): void {
    const titles = realFeatures.flatMap((feature) => feature.titles).flatMap((title) => change(title) ?? []);
    const places = [...realApis.flatMap(({ places: [place] }) => place ?? []), ...realClouds.map(({ place }) => place)];
    const testResults = places.map(({ file, block }) => ({
      name: join(root, file),
      status: 'passed',
      message: '',
      assertionResults: titles.map((title) => ({
        title,
        status: 'passed',
        ancestorTitles: block === undefined ? [] : [block],
      })),
    }));
    mkdirSync(join(root, '.results'), { recursive: true });
    writeFileSync(join(root, '.results/vitest.json'), JSON.stringify({ testResults }));
  }

  test('writes the page, passes, and fails when it is stale or a row has lost its test', () => {
    const root = fixture({ 'docs/models.md': '' });
    writeReport(root);
    expect(start(root)).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run models') });
    expect(start(root, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(start(root)).toMatchObject({ status: 0, stderr: '' });
    const left = 'limits a turn to one call';
    writeReport(root, (title) => (title === left ? `leaves out '${left}': There is no switch.` : title));
    expect(start(root)).toMatchObject({ status: 1, stderr: expect.stringContaining('+ 1. There is no switch.') });
    writeReport(root, (title) => (title === left ? undefined : title));
    expect(start(root)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`'${left}' is no test of any api`),
    });
  });

  test('writes nothing without a report', () => {
    const root = fixture({ 'docs/models.md': 'as it was' });
    expect(start(root, '--write')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no report/) });
    expect(readFileSync(join(root, 'docs/models.md'), 'utf8')).toBe('as it was');
  });
});
