// Compares tooling/parity/README.md with the last complete test run:
//
//   node tooling/parity/main.ts    shows where they differ, and fails
//   npm run parity                    writes the page

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { readEvidence } from './evidence.ts';
import { renderPage } from './page.ts';
import { citationProblems, pageProblems } from './problems.ts';
import { systems } from './systems.ts';

await reportProblems(() => {
  const root = process.cwd();
  const path = join(root, 'tooling/parity/README.md');
  const evidence = readEvidence(root);
  const wanted = renderPage(systems, evidence);
  if (process.argv.includes('--write')) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, wanted);
  }
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return [...citationProblems(systems, evidence), ...pageProblems(page, wanted, { systems, evidence })];
});
