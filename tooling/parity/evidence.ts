// Tests and the rows that they cite, from the report of a complete run.

import { readTests } from '../results/tests.ts';

export interface Evidence {
  readonly id: string;
  /** From the root, with slashes. */
  readonly file: string;
  /** Without the ids. */
  readonly title: string;
  readonly passed: boolean;
}

/** One entry for each id of each test that ran, sorted. Throws where the report is missing or not of all tests. */
export function readEvidence(root: string): Evidence[] {
  const found = readTests(root).flatMap(({ file, ancestors, title, passed }) => {
    const words = [...ancestors, title].join(' › ');
    return idsOf(words).map((id) => ({ id, file, title: withoutIds(words), passed }));
  });
  const key = ({ id, file, title }: Evidence): string => [id, file, title].join('\0');
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const citation = /\[([^\]]*\b[SAD]\d+-\d+[^\]]*)\]\s*/g;

/** Text in square brackets with an id in it: `S0-01`, or a misspelt one. */
function idsOf(title: string): string[] {
  return [...title.matchAll(citation)].map(([, id = '']) => id);
}

function withoutIds(title: string): string {
  return title
    .replace(citation, '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
}
