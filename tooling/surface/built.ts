// Checks the sizes of built packages in apps against built-ceilings.ts. Requires `npm run build`.

import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { builtCeilings, instantiationCeiling } from './built-ceilings.ts';
import { weighBuilt } from './built-sizes.ts';
import { countInstantiations, programWith } from './instantiations.ts';

await reportProblems(async () => {
  const folder = join(process.cwd(), 'tooling/bench');
  const { sizes, problems } = await weighBuilt(folder, builtCeilings);
  console.table(sizes);
  return [...problems, ...problemsOfTypes(folder)];
});

function problemsOfTypes(folder: string): readonly string[] {
  const { tools, most } = instantiationCeiling;
  const count = countInstantiations(folder, programWith(tools));
  console.log(`${tools} tools: ${count} type instantiations`);
  return count <= most ? [] : [`${tools} tools take ${count} type instantiations, over their ceiling of ${most}`];
}
