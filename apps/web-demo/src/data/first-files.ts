import { createFiles } from '@utensil/core';
import { listThreads } from '@utensil/core/thread';
import type { ProjectStorage } from './storage.ts';

/** Files of a new project, for a first try of the tools. */
export const firstFiles: Readonly<Record<string, string>> = {
  '/data/north.csv':
    'month,orders,revenue\nJanuary,42,6300\nFebruary,45,6750\nMarch,51,7905\nApril,58,8990\nMay,63,10080\nJune,71,11360\n',
  '/data/south.csv':
    'month,orders,revenue\nJanuary,80,9600\nFebruary,78,9360\nMarch,81,9720\nApril,35,4200\nMay,79,9480\nJune,83,9960\n',
  '/data/west.csv':
    'month,orders,revenue\nJanuary,12,3000\nFebruary,15,3750\nMarch,14,3500\nApril,18,4500\nMay,17,4250\nJune,21,5250\n',
  '/notes/shopping.md': '# Shopping\n\n- [ ] Bread\n- [ ] Milk\n- [x] Tea\n',
};

const record = ['first-files'];

/**
 * Writes the first files to an empty project, in one turn that can be undone. Done once: files that a person has
 * removed stay removed.
 */
export async function addFirstFiles(project: ProjectStorage): Promise<void> {
  if ((await project.records.get(record)) !== undefined) return;
  if (await isEmpty(project)) {
    const files = createFiles(project.storage.as({ actor: 'demo', turn: 'first-files' }));
    await files.batch(async (files) => {
      for (const [path, text] of Object.entries(firstFiles)) await files.write(path, text, { create: 'must' });
    });
  }
  await project.records.put(record, true);
}

async function isEmpty({ files, records }: ProjectStorage): Promise<boolean> {
  if ((await files.list('/', { limit: 1 })).entries.length > 0) return false;
  return (await listThreads(records)).length === 0;
}
