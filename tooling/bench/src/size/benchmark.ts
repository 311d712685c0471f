import { benchmark } from '../runner/benchmark.ts';
import { buildPackages, home } from '../runner/build.ts';
import type { Given } from '../runner/options.ts';
import { bundle } from './bundle.ts';
import { coldImports } from './cold-import.ts';
import { installed } from './installed.ts';
import { reportSizes, type Sizes } from './report.ts';
import * as sets from './sets.ts';

export const sizeBenchmark = benchmark({
  name: 'size',
  measures: 'bytes minified and compressed, time of an import, and bytes installed',
  subjects: [...new Set(sets.packages)],
  options: ['quick'],
  plan: ({ quick }: Given) => ({ rounds: 1, patienceMs: 0, imports: quick ? 1 : 9 }),
  open: ({ imports }) => ({
    jobs: () => [imports],
    measure: async (rounds: number) => [await measureSizes(rounds)],
  }),
  report: reportSizes,
});

/** Measures our packages as they are published, and our peers as they are installed here. */
async function measureSizes(rounds: number): Promise<Sizes> {
  buildPackages('core', 'provider-openai');
  const bundles = await Promise.all(
    sets.importSets.map(async (each) => ({ title: each.title, ...(await bundle(each, home)) })),
  );
  const imports = coldImports(sets.coldImports, { rounds, folder: home });
  return { bundles, imports, installs: sets.packages.map((name) => installed(name, home)) };
}
