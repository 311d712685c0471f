import { digits } from '../runner/statistics.ts';
import { table } from '../runner/table.ts';
import type { BundlerName, Weight } from '../../../surface/bundlers.ts';
import type { ColdImport } from './cold-import.ts';
import type { Installed } from './installed.ts';

/** One of our programs, bundled from the published packages and from their sources. */
export interface Own {
  readonly title: string;
  readonly built: Readonly<Record<BundlerName, Weight>>;
  readonly sources: Readonly<Record<BundlerName, Weight>>;
}

/** All sizes. */
export interface Sizes {
  readonly bundles: readonly (Weight & { readonly title: string })[];
  readonly own: readonly Own[];
  readonly imports: readonly ColdImport[];
  readonly installs: readonly Installed[];
}

/** Formats four tables. */
export function reportSizes(samples: readonly Sizes[]): string {
  return samples.map(tablesOf).join('\n\n');
}

function tablesOf({ bundles, own, imports, installs }: Sizes): string {
  return [
    'Bundled for a browser by esbuild, minified and gzipped (KB of 1,000 bytes)',
    table([
      ['import', 'gz', 'later gz', 'gz together'],
      ...bundles.map(({ title, eager, lazy }) => [title, kb(eager), kb(lazy), kb(eager + lazy)]),
    ]),
    'What loads at once, gzipped (KB): from the built packages, and from the sources',
    table([
      ['program', 'built, esbuild', 'built, rolldown', 'sources, esbuild', 'sources, rolldown'],
      ...own.map(({ title, built, sources }) => [
        title,
        ...[built.esbuild, built.rolldown, sources.esbuild, sources.rolldown].map(({ eager }) => kb(eager)),
      ]),
    ]),
    'Imported by a fresh process (ms)',
    table([
      ['import', 'process, minus an empty one', 'import() alone', 'its CPU'],
      ...imports.map(({ name, processMs, importMs, cpuMs }) => [
        name,
        digits(processMs),
        digits(importMs),
        digits(cpuMs),
      ]),
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
