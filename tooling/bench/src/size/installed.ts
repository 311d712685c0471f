import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Contents of an installation. */
export interface Installed {
  readonly name: string;
  /** Number of packages, itself included. */
  readonly packages: number;
  readonly bytes: number;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A package with all its dependencies and required peers. */
export function installed(name: string, folder: string): Installed {
  const found = new Map<string, number>();
  const waiting = [find(name, folder)];
  for (const path of waiting) {
    if (found.has(path)) continue;
    found.set(path, bytesOf(path));
    waiting.push(...needsOf(path).map((each) => find(each, path)));
  }
  return { name, packages: found.size, bytes: [...found.values()].reduce((sum, bytes) => sum + bytes, 0) };
}

function needsOf(path: string): readonly string[] {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = readManifest(path);
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers];
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
}

/** Folder from which Node.js resolves a package. */
function find(name: string, from: string): string {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path)) return realpathSync(path);
    if (folder === dirname(folder)) throw new Error(`${name} is not installed for ${from}.`);
  }
}

/** One of our packages counts as packed. */
function bytesOf(path: string): number {
  if (path.includes('node_modules')) return sizeOf(path);
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: path,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${path} cannot be packed: ${stderr}`);
  const [packed] = JSON.parse(stdout) as readonly { readonly unpackedSize: number }[];
  return packed?.unpackedSize ?? NaN;
}

function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return names.reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
