// Holds the public surface against surface.txt, and the sizes against ceilings.ts:
//
//   node tooling/surface/main.ts    shows what changed, and fails
//   pnpm surface                    takes the surface as it is

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { difference } from '../difference.ts';
import { reportProblems } from '../report.ts';
import { ceilings, forbidden } from './ceilings.ts';
import { readSurface } from './pin.ts';
import { weigh } from './sizes.ts';

await reportProblems(async () => {
  const root = process.cwd();
  const { sizes, problems } = await weigh(root, { ceilings, forbidden });
  console.table(sizes);
  return [...(await findChanges(root)), ...problems];
});

async function findChanges(root: string): Promise<string[]> {
  const pin = join(root, 'tooling/surface/surface.txt');
  const surface = await readSurface(root);
  if (process.argv.includes('--write')) writeFileSync(pin, `${surface.join('\n')}\n`);
  const pinned = existsSync(pin) ? readFileSync(pin, 'utf8').trimEnd().split('\n') : [];
  const changes = difference(pinned, surface);
  return changes.length === 0 ? [] : ['The public surface changed. If that is meant: pnpm surface', ...changes];
}
