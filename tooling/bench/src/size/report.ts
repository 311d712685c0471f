import { digits } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import type { Bundle } from './bundle.ts';
import type { ColdImport } from './cold-import.ts';
import type { Installed } from './installed.ts';

/** All sizes. */
export interface Sizes {
  readonly bundles: readonly (Bundle & { readonly title: string })[];
  readonly imports: readonly ColdImport[];
  readonly installs: readonly Installed[];
}

/** Three tables. */
export function reportSizes(samples: readonly Sizes[]): string {
  return samples.map(tablesOf).join('\n\n');
}

function tablesOf({ bundles, imports, installs }: Sizes): string {
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
