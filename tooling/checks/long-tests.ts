import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Test files that try a sample of their cases unless `isLong` is provided, by themselves or through what they import. */
export function longTests(root: string, files: readonly string[]): readonly string[] {
  const sources = files.filter((path) => path.endsWith('.ts'));
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
  const sampling = new Set(sources.filter((path) => texts.get(path)?.includes(`inject('isLong')`)));
  for (let before = -1; before < sampling.size;) {
    before = sampling.size;
    for (const [path, text] of texts) if (importsOf(path, text).some((each) => sampling.has(each))) sampling.add(path);
  }
  return [...sampling].filter((path) => path.endsWith('.test.ts')).sort();
}

function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(/ from '(\.[^']+\.ts)';/g)].map(([, target = '']) => join(dirname(path), target));
}
