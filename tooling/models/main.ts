// Compares docs/models.md with the results of the last complete test run:
//
//   node tooling/models/main.ts    shows the differences, and fails if there are any
//   npm run models                 writes the page

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { readTests } from '../results/tests.ts';
import { apis } from './apis.ts';
import { cloudProblems, cloudResults, clouds } from './clouds.ts';
import { features } from './features.ts';
import { renderPage } from './page.ts';
import { pageProblems, tableProblems } from './problems.ts';
import { resultsOf } from './results.ts';

await reportProblems(() => {
  const root = process.cwd();
  const path = join(root, 'docs/models.md');
  const tests = readTests(root);
  const onClouds = cloudResults(clouds, { apis, tests });
  const table = { apis, features, results: resultsOf(apis, tests), clouds: onClouds };
  const wanted = renderPage(table);
  if (process.argv.includes('--write')) writeFileSync(path, wanted);
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return [...tableProblems(table), ...cloudProblems(onClouds), ...pageProblems(page, wanted)];
});
