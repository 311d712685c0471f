// The parts of a package's manifest that the tooling reads.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const sourceCondition = '@utensil/source';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

/** Entry points of a package: name below dist/ without `.js`, and source. */
export function sourceEntries(manifest: Manifest): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const target of Object.values(manifest.exports ?? {})) {
    if (typeof target === 'string') continue;
    const { [sourceCondition]: source, default: built } = target;
    if (source === undefined || built === undefined) throw new Error(`${manifest.name}: an entry without a source`);
    entries[built.replace(/^\.\/dist\/(.*)\.js$/, '$1')] = source;
  }
  return entries;
}
