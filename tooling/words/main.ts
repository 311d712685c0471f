// Holds the English of comments, documents and texts against tics.ts and docs/glossary.md:
//
//   npm run words                            more hits than ceilings.json fail, and are listed
//   npm run words -- --print packages/core   lists all hits below a path
//   npm run words -- --count                 counts the hits by tic
//   npm run words -- --write                 lowers ceilings.json to the hits that are left

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { trackedFiles } from '../workspace/tracked.ts';
import { type Ceilings, countHits, exceeded, lowered, partOf } from './ceilings.ts';
import { type Hit, hitsOf, rulesWith } from './find.ts';
import { readGlossary } from './glossary.ts';

const root = process.cwd();
const ceilingsPath = join(root, 'tooling/words/ceilings.json');
const [option, path = ''] = process.argv.slice(2);

await reportProblems(() => {
  const hits = findHits();
  if (option === '--print') for (const hit of hits.filter((each) => each.path.startsWith(path))) print(hit);
  else if (option === '--count') console.log(table(hits));
  else return compare(hits);
  return [];
});

function findHits(): readonly Hit[] {
  const rules = rulesWith(readGlossary(readFileSync(join(root, 'docs/glossary.md'), 'utf8')));
  return trackedFiles(root)
    .filter((file) => !isExempt(file))
    .flatMap((file) => hitsOf(file, readFileSync(join(root, file), 'utf8'), rules));
}

/** The glossary and this check name the words that they report; changelogs are written by releases. */
function isExempt(file: string): boolean {
  return /^(?:tooling\/words\/|docs\/glossary\.md$|CLAUDE\.md$)|(?:^|\/)CHANGELOG\.md$/.test(file);
}

function compare(hits: readonly Hit[]): readonly string[] {
  const counts = countHits(hits);
  const ceilings = JSON.parse(readFileSync(ceilingsPath, 'utf8')) as Ceilings;
  if (option === '--write') writeFileSync(ceilingsPath, `${JSON.stringify(lowered(counts, ceilings), null, 2)}\n`);
  const problems = exceeded(counts, ceilings);
  for (const { kind, part } of problems) {
    const found = hits.filter((hit) => hit.kind === kind && partOf(hit.path) === part);
    if (found.length <= 20) for (const hit of found) print(hit);
  }
  return problems.map(({ problem }) => problem);
}

function print({ path: file, line, kind, tic, advice, text }: Hit): void {
  console.log(`${file}:${line}: ${kind}: ${tic}: …${text}…\n    ${advice}`);
}

function table(hits: readonly Hit[]): string {
  const names = [...new Set(hits.map(({ tic }) => tic))];
  const rows = names.map((name) => {
    const of = hits.filter(({ tic }) => tic === name);
    const count = (kind: string): number => of.filter((hit) => hit.kind === kind).length;
    return [of.length, count('comments'), count('documents'), count('texts'), name] as const;
  });
  const total = (index: 0 | 1 | 2 | 3): number => rows.reduce((sum, row) => sum + row[index], 0);
  const all = [total(0), total(1), total(2), total(3), 'all'] as const;
  return [['total', 'comments', 'documents', 'texts', ''], ...rows.toSorted((a, b) => b[0] - a[0]), all]
    .map((row) => row.map((cell, index) => (index < 4 ? String(cell).padStart(9) : `  ${cell}`)).join(''))
    .join('\n');
}
