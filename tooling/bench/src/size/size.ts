import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { digits } from '../statistics.ts';
import { table } from '../table.ts';
import { bundle, type Bundle } from './bundle.ts';
import { coldImports, type ColdImport } from './cold-import.ts';
import { type Installed, installed } from './installed.ts';
import * as sets from './sets.ts';

/** Everything that `pnpm bench size` measures. */
export interface Sizes {
  readonly bundles: readonly (Bundle & { readonly title: string })[];
  readonly imports: readonly ColdImport[];
  readonly installs: readonly Installed[];
}

const folder = join(import.meta.dirname, '../..');

/** Measures our packages as they are published, and our peers as they are installed here. */
export async function measureSizes(rounds: number): Promise<Sizes> {
  buildPackages();
  const bundles = await Promise.all(
    sets.importSets.map(async (each) => ({ title: each.title, ...(await bundle(each, folder)) })),
  );
  const imports = coldImports(sets.coldImports, { rounds, folder });
  return { bundles, imports, installs: sets.packages.map((name) => installed(name, folder)) };
}

function buildPackages(): void {
  const filters = ['@utensil/core', '@utensil/provider-openai'].map((name) => `--filter=${name}`);
  const turbo = join(folder, '../../node_modules/.bin/turbo');
  const { status } = spawnSync(turbo, ['run', 'build', '--output-logs=errors-only', ...filters], {
    cwd: join(folder, '../..'),
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('The packages could not be built, so there is nothing to weigh.');
}

/** Three tables. */
export function reportSizes({ bundles, imports, installs }: Sizes): string {
  return [
    'Bundled for a browser, minified and gzipped (KB of 1,000 bytes)',
    table([
      ['import', 'min', 'gz', 'later min', 'later gz', 'gz together'],
      ...bundles.map(({ title, eager, lazy }) => [
        title,
        kb(eager.minified),
        kb(eager.gzipped),
        kb(lazy.minified),
        kb(lazy.gzipped),
        kb(eager.gzipped + lazy.gzipped),
      ]),
    ]),
    'Imported by a fresh process (ms)',
    table([
      ['import', 'process, minus an empty one', 'import() alone'],
      ...imports.map(({ name, processMs, importMs }) => [name, digits(processMs), digits(importMs)]),
    ]),
    'Installed, with dependencies and the peers that npm adds (MB of 1,000,000 bytes)',
    table([
      ['package', 'packages', 'MB'],
      ...installs.map(({ name, packages, bytes }) => [name, `${packages}`, digits(bytes / 1e6)]),
    ]),
  ].join('\n\n');
}

function kb(bytes: number): string {
  return bytes === 0 ? '–' : digits(bytes / 1000);
}
