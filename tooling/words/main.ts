// Checks the English of comments, documents and texts against tics.ts and docs/glossary.md. Fails if there is a hit:
//
//   npm run words                     lists the hits
//   npm run words -- packages/core    lists those below a path

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { trackedFiles } from '../workspace/tracked.ts';
import { hitsOf, rulesWith } from './find.ts';
import { readGlossary } from './glossary.ts';

await reportProblems(() => {
  const root = process.cwd();
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const [below = ''] = process.argv.slice(2);
  const rules = rulesWith(readGlossary(read('docs/glossary.md')));
  return trackedFiles(root)
    .filter((file) => file.startsWith(below) && !isExempt(file))
    .flatMap((file) => hitsOf(file, read(file), rules))
    .map(({ path, line, kind, tic, advice, text }) => `${path}:${line}: ${kind}: ${tic}: …${text}…\n    ${advice}`);
});

/** The glossary and this check name the words that they report; changelogs are written by releases. */
function isExempt(file: string): boolean {
  return /^(?:tooling\/words\/|docs\/glossary\.md$|CLAUDE\.md$)|(?:^|\/)CHANGELOG\.md$/.test(file);
}
