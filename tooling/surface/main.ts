// Checks the public surface against pins/, and the sizes against ceilings.ts:
//
// node tooling/surface/main.ts    shows the differences, and fails
// npm run surface                 accepts the current surface

import { join } from 'node:path';
import { reportProblems } from '../checks/problems.ts';
import { ceilings, forbidden } from './ceilings.ts';
import { readSurface } from './read-surface.ts';
import { comparePins, readPins, writePins } from './pin-files.ts';
import { weigh } from './sizes.ts';

await reportProblems(async () => {
  const root = process.cwd();
  const { sizes, problems } = await weigh(root, { ceilings, forbidden });
  console.table(sizes);
  return [...(await findChanges(root)), ...problems];
});

async function findChanges(root: string): Promise<readonly string[]> {
  const folder = join(root, 'tooling/surface/pins');
  const surface = await readSurface(root);
  if (process.argv.includes('--write')) writePins(folder, surface);
  const changes = comparePins(readPins(folder), surface);
  return changes.length === 0 ? [] : ['The public surface changed. If that is meant: npm run surface', ...changes];
}
