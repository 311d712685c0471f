import type { HostFunction } from '../sandbox.ts';
import { fsNames } from './fs-names.ts';
import type { FsFunctions } from './fs-names.ts';
import type { FsOptions } from './fs-functions.ts';
import type { ScriptFiles } from './script-files.ts';

/** Files of one run. The code behind `fs` is loaded by the first call, so that no page needs it before. */
export function laterFiles(options: FsOptions): ScriptFiles {
  let loaded: ScriptFiles | undefined; // without it, there is nothing to keep
  async function load(): Promise<ScriptFiles> {
    const { scriptFiles } = await import('./script-files.ts');
    return (loaded ??= scriptFiles(options));
  }

  const functions = fsNames.map((name): [string, HostFunction] => [
    name,
    async (input, signal) => (await load()).functions[name](input, signal),
  ]);
  return {
    functions: Object.fromEntries(functions) as FsFunctions,
    async keep() {
      await loaded?.keep();
    },
  };
}
