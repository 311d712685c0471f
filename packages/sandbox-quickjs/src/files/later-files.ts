import type { HostFunction } from '../sandbox.ts';
import type { FsOptions } from './fs-functions.ts';
import type { ScriptFiles } from './script-files.ts';

/** Names of the functions behind `fs`. */
const names = [
  'fs.readFile',
  'fs.writeFile',
  'fs.exists',
  'fs.mkdir',
  'fs.readdir',
  'fs.unlink',
  'fs.rmdir',
  'fs.rename',
  'fs.stat',
] as const;

export type FsFunctions = Readonly<Record<(typeof names)[number], HostFunction>>;

/** Files of one run. The code behind `fs` is loaded by the first call, so that no page needs it before. */
export function laterFiles(options: FsOptions): ScriptFiles {
  let loading: Promise<ScriptFiles> | undefined;
  const load = (): Promise<ScriptFiles> =>
    (loading ??= import('./script-files.ts').then(({ scriptFiles }) => scriptFiles(options)));
  const functions = names.map((name): [string, HostFunction] => [
    name,
    async (input, signal) => (await load()).functions[name](input, signal),
  ]);
  return {
    functions: Object.fromEntries(functions) as FsFunctions,
    async keep() {
      await (await loading)?.keep();
    },
  };
}
