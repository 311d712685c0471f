// Which tests name which rows, from the report of a complete run.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { tally } from '../tally.ts';

export interface Evidence {
  readonly id: string;
  /** From the root, with slashes. */
  readonly file: string;
  /** Without the ids. */
  readonly title: string;
  readonly passed: boolean;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** One entry for each id of each test that ran, sorted. Throws where the report is missing or not of all tests. */
export function readEvidence(root: string): Evidence[] {
  const report = join(root, '.results/vitest.json');
  if (!existsSync(report)) throw new Error(`There is no report of the tests, ${report}: run \`pnpm check tests\`.`);
  const gaps = tally({ root, report, complete: true, ok: true }).complaints;
  if (gaps.length > 0) throw new Error(`The report is not of all tests: run \`pnpm check tests\`.\n${gaps.join('\n')}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const found = testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(root, name).split(sep).join('/');
    return assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .flatMap(({ ancestorTitles, title, status }) => {
        const words = [...ancestorTitles, title].join(' › ');
        return idsOf(words).map((id) => ({ id, file, title: withoutIds(words), passed: status === 'passed' }));
      });
  });
  const key = ({ id, file, title }: Evidence): string => [id, file, title].join('\0');
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const citation = /\[([^\]]*\b[SAD]\d+-\d+[^\]]*)\]\s*/g;

/** What stands in square brackets with an id in it: `S0-01`, or what was meant to be one. */
function idsOf(title: string): string[] {
  return [...title.matchAll(citation)].map(([, id = '']) => id);
}

function withoutIds(title: string): string {
  return title
    .replace(citation, '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
}
