import type { Fetch } from '@utensil/core';
import { fsNames } from '../files/fs-names.ts';
import type { FsFunctions } from '../files/fs-names.ts';
import type { FsOptions } from '../files/fs-functions.ts';
import type { ScriptFiles } from '../files/script-files.ts';
import type { HostFunction } from '../sandbox.ts';

// Functions whose code is loaded by the first call, so that no page needs it before.

/** Files of one run. */
export function laterFiles(options: FsOptions): ScriptFiles {
  let loaded: ScriptFiles | undefined; // without it, there is nothing to keep
  async function load(): Promise<ScriptFiles> {
    const { scriptFiles } = await import('./fs-and-fetch-code.ts');
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

/** Host side of `fetch` in one run; its limits are those of `fetchFunction`. */
export function laterFetch(fetch: Fetch, mostInAll: number): HostFunction {
  let loaded: HostFunction | undefined;
  return async (input, signal) => {
    const { fetchFunction } = await import('./fs-and-fetch-code.ts');
    loaded ??= fetchFunction(fetch, mostInAll);
    return loaded(input, signal);
  };
}
