import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixture } from '../fixtures/workspace/fixture.ts';
import { type Evidence, readEvidence } from './evidence.ts';
import { provenIds, renderPage } from './page.ts';
import { citationProblems, pageProblems } from './problems.ts';
import type { System } from './row.ts';
import { systems as real } from './systems.ts';

const suite = 'packages/tool-a/src/a.test.ts';

const systems: readonly System[] = [
  {
    name: 'System 0',
    about: 'A system.',
    rows: { 'S0-01': 'one thing', 'S0-02': 'another', 'A0-01': { title: 'a third', outOfScope: 'nobody needs it' } },
  },
  { name: 'System 1', about: 'Another.', rows: { 'D1-01': 'a defect' } },
];

type Test = readonly [title: string, status?: string, ...ancestorTitles: readonly string[]];

/** A workspace with one package, and the report of its tests. */
function workspace(...tests: readonly Test[]): string {
  const root = fixture({ 'packages/tool-a/package.json': {}, [suite]: '' });
  writeReport(root, tests);
  return root;
}

function writeReport(root: string, tests: readonly Test[]): void {
  const assertionResults = tests.map(([title, status = 'passed', ...ancestorTitles]) => ({
    title,
    status,
    ancestorTitles,
  }));
  const testResults = [{ name: join(root, suite), status: 'passed', message: '', assertionResults }];
  mkdirSync(join(root, '.results'), { recursive: true });
  writeFileSync(join(root, '.results/vitest.json'), JSON.stringify({ testResults }));
}

const proof = (id: string, passed = true): Evidence => ({ id, file: suite, title: 'does it', passed });

describe('the evidence', () => {
  test('is each id of each test that ran', () => {
    const root = workspace(
      ['[S0-02] [D1-01] does both'],
      ['does this', 'failed', '[S0-01] the tool'],
      ['[S0-01] is skipped', 'skipped'],
      ['[S0-02] is\n odd\0 \ud800'],
      ['has no id [at all]'],
    );
    expect(readEvidence(root)).toEqual([
      { id: 'D1-01', file: suite, title: 'does both', passed: true },
      { id: 'S0-01', file: suite, title: 'the tool › does this', passed: false },
      { id: 'S0-02', file: suite, title: 'does both', passed: true },
      { id: 'S0-02', file: suite, title: 'is odd', passed: true },
    ]);
  });

  test('cannot be read if there is no report', () => {
    expect(() => readEvidence(fixture({}))).toThrow('There is no report of the tests');
  });

  test('cannot be read where the report is not of all tests', () => {
    const root = workspace(['[S0-01] does it']);
    writeFileSync(join(root, 'packages/tool-a/src/b.test.ts'), '');
    expect(() => readEvidence(root)).toThrow('packages/tool-a/src/b.test.ts: was not run');
  });

  test('cannot be read if no test ran', () => {
    expect(() => readEvidence(workspace())).toThrow('packages/tool-a/src: no test ran');
    expect(() => readEvidence(workspace(['[S0-01] does it', 'skipped']))).toThrow('packages/tool-a/src: no test ran');
  });

  test('cannot be read from a broken report', () => {
    const root = workspace(['[S0-01] does it']);
    writeFileSync(join(root, '.results/vitest.json'), '{');
    expect(() => readEvidence(root)).toThrow('The report of the tests, .results/vitest.json, is broken');
  });
});

describe('the page', () => {
  test('shows proven, open and out-of-scope rows, with their numbers', () => {
    const page = renderPage(systems, [proof('S0-01'), proof('D1-01'), proof('D1-01', false)]);
    expect(page).toContain(
      '| System 0 | A system. | 1 | 1 | 1 | 3 |\n| System 1 | Another. | 0 | 1 | 0 | 1 |\n| All | | 1 | 2 | 1 | 4 |\n',
    );
    expect(page).toContain('\n- System 0: S0-01\n- System 1: \n');
    expect(page).toContain('\n| S0-02 | another | open |\n');
    expect(page).toContain('\n| A0-01 | a third | out of scope: nobody needs it |\n');
    expect(page).toContain('\n| D1-01 | a defect | open |\n');
    expect(provenIds(page)).toEqual(['S0-01']);
  });

  test('is the same for the same tests in another order', () => {
    const titles: readonly Test[] = [['[S0-01] b'], ['[S0-01] a'], ['[S0-02] c']];
    const pages = [titles, titles.toReversed()].map((tests) => renderPage(systems, readEvidence(workspace(...tests))));
    expect(pages[0]).toBe(pages[1]);
  });
});

describe('the problems', () => {
  test('are none if all is well', () => {
    const evidence = [proof('S0-01')];
    const page = renderPage(systems, evidence);
    expect(pageProblems(page, page, { systems, evidence })).toEqual([]);
    expect(citationProblems(systems, evidence)).toEqual([]);
  });

  test.for(['S0-03', 'S9-01', 'S0-1', 'S0-01, S0-02', 'S0-01…S0-02'])('are a test that names %s', (id) => {
    const [found, ...others] = readEvidence(workspace([`[${id}] does it`])).flatMap((each) =>
      citationProblems(systems, [each]),
    );
    expect(found).toBe(`${suite} › does it: [${id}] is no row: write one id, as in tooling/parity/rows`);
    expect(others).toEqual([]);
  });

  test('are a test that proves what is out of scope', () => {
    expect(citationProblems(systems, [proof('A0-01')])).toEqual([
      `${suite} › does it: A0-01 is out of scope, and yet proven`,
    ]);
  });

  test.for([
    ['no test names it', []],
    [`${suite} › does it failed`, [proof('S0-01', false)]],
  ] as const)('are a row that lost its proof: %s', ([reason, evidence]) => {
    const page = renderPage(systems, [proof('S0-01')]);
    const problems = pageProblems(page, renderPage(systems, evidence), { systems, evidence });
    expect(problems[0]).toBe(`S0-01 was proven, and is not any more: ${reason}`);
    expect(problems).toContain('+ | S0-01 | one thing | open |');
  });

  test('are any other difference of the page', () => {
    const page = renderPage(systems, []);
    expect(pageProblems(page.replace('five', 'six'), page, { systems, evidence: [] })).toEqual([
      'tooling/parity/README.md is not what the tests prove. If that is meant: npm run parity',
      expect.stringContaining('six earlier tool systems'),
      expect.stringContaining('five earlier tool systems'),
    ]);
    expect(pageProblems(`${page}\n`, page, { systems, evidence: [] })).toHaveLength(1);
  });
});

describe('the program', () => {
  const start = (root: string, ...words: readonly string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...words], { cwd: root, encoding: 'utf8' });

  test('writes the page, passes, and fails when a proof is gone', () => {
    const root = workspace(['[S0-31] [D0-10] does it']);
    expect(start(root)).toMatchObject({ status: 1, stderr: expect.stringContaining('npm run parity') });
    expect(start(root, '--write')).toMatchObject({ status: 0, stderr: '' });
    expect(start(root)).toMatchObject({ status: 0, stderr: '' });
    expect(provenIds(readFileSync(join(root, 'tooling/parity/README.md'), 'utf8'))).toEqual(['S0-31', 'D0-10']);
    writeReport(root, [['[S0-31] does it']]);
    expect(start(root)).toMatchObject({ status: 1, stderr: expect.stringContaining('D0-10 was proven') });
  });

  test('writes nothing without a complete report', () => {
    const root = workspace(['[S0-31] does it']);
    rmSync(join(root, '.results'), { recursive: true });
    const { status, stderr } = start(root, '--write');
    expect(stderr).toMatch(/^There is no report of the tests/);
    expect(status).toBe(1);
    expect(() => readFileSync(join(root, 'tooling/parity/README.md'))).toThrow('ENOENT');
  });
});

test('the rows are numbered without a gap, each with the number of its system', () => {
  const counts = real.map(({ rows }, system) => {
    const ids = Object.keys(rows);
    return ['S', 'A', 'D'].map((kind) => {
      const own = ids.filter((id) => id.startsWith(kind));
      expect(own).toEqual(own.map((_, index) => `${kind}${system}-${String(index + 1).padStart(2, '0')}`));
      return own.length;
    });
  });
  expect(counts).toEqual([
    [66, 11, 14],
    [26, 8, 9],
    [44, 10, 8],
    [27, 9, 10],
    [27, 10, 11],
  ]);
});
