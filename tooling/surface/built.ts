// Holds what an app gets of the built packages against built-ceilings.ts. Needs `npm run build`.

import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { builtCeilings } from './built-ceilings.ts';
import { weighBuilt } from './built-sizes.ts';

await reportProblems(async () => {
  const { sizes, problems } = await weighBuilt(join(process.cwd(), 'tooling/bench'), builtCeilings);
  console.table(sizes);
  return problems;
});
