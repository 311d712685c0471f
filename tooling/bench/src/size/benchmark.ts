import { benchmark } from '../runner/benchmark.ts';
import { buildPackages, home } from '../runner/build.ts';
import type { Given } from '../runner/options.ts';
import { sourceCondition } from '../../../workspace/manifest.ts';
import { bundlers } from '../../../surface/bundlers.ts';
import { coldImports } from './cold-import.ts';
import { installed } from './installed.ts';
import { type Own, reportSizes, type Sizes } from './report.ts';
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

/** Measures our packages as published, and our peers as installed here. */
async function measureSizes(rounds: number): Promise<Sizes> {
  buildPackages('core', 'provider-openai', 'storage-memory', 'tool-time');
  const bundles = await Promise.all(
    sets.importSets.map(async ({ title, program, without = [] }) => ({
      title,
      ...(await bundlers.esbuild(program, { folder: home, without })),
    })),
  );
  const own = await Promise.all(Object.keys(sets.ownPrograms).map(measureOwn));
  const imports = coldImports(sets.coldImports, { rounds, folder: home });
  return { bundles, own, imports, installs: sets.packages.map((name) => installed(name, home)) };
}

async function measureOwn(title: string): Promise<Own> {
  const { program = '', without = [] } = sets.ownPrograms[title] ?? {};
  const built = { folder: home, without };
  const sources = { ...built, conditions: [sourceCondition] };
  return {
    title,
    built: { esbuild: await bundlers.esbuild(program, built), rolldown: await bundlers.rolldown(program, built) },
    sources: { esbuild: await bundlers.esbuild(program, sources), rolldown: await bundlers.rolldown(program, sources) },
  };
}
