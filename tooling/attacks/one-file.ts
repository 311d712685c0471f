import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { sourceCondition } from '../workspace/manifest.ts';

/** A program of a worker thread in one file, which starts in half the time: attacks end many workers. */
export async function oneFile(program: string, from: string, minify = false): Promise<URL> {
  const bundled = await rolldown({
    input: program,
    cwd: fileURLToPath(new URL('.', from)),
    platform: 'node',
    resolve: { conditionNames: [sourceCondition, 'node', 'import', 'module', 'default'] },
  });
  const { output } = await bundled.generate({ format: 'esm', codeSplitting: false, minify });
  await bundled.close();
  const path = join(mkdtempSync(join(tmpdir(), 'utensil-worker-')), 'worker.mjs');
  writeFileSync(path, output[0].code);
  return pathToFileURL(path);
}
