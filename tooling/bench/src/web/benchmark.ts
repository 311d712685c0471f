import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { chromiumPath } from '../../../chromium.ts';
import { benchmark } from '../runner/benchmark.ts';

const app = join(import.meta.dirname, '../../../../apps/web-demo');

export const webBenchmark = benchmark({
  name: 'web',
  measures: 'what a person waits for in the web demo, in a conversation of 10,000 messages; needs Chromium',
  subjects: ['Utensil'],
  options: [],
  plan: () => ({ rounds: 1, patienceMs: 0 }),
  open() {
    const browser = chromiumPath();
    if (browser === undefined) throw new Error('There is no Chromium: install one, or name one in CHROMIUM_PATH.');
    return { jobs: () => [browser], measure: measureApp };
  },
  report: () => '',
});

/** The web demo measures itself, in a separate process that prints its progress. */
function measureApp(browser: string): readonly never[] {
  const parameters = ['--conditions=@utensil/source', join(app, 'measure.ts'), browser];
  const { status } = spawnSync(process.execPath, parameters, { stdio: 'inherit' });
  if (status !== 0) throw new Error('The web demo could not be measured.');
  return [];
}
