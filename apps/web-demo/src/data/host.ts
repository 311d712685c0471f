import { createFiles, UtensilError } from '@utensil/core';
import type { Fetch, Host } from '@utensil/core';
import type { Sandbox } from '@utensil/sandbox-quickjs';
import { currentTexts } from '../texts/texts.ts';
import type { ProjectStorage } from './storage.ts';
import type { Vault } from './vault.ts';

/** Host of a project's tools: its files, the web, a sandbox for JavaScript, and secrets. */
export function hostOf(
  { storage }: ProjectStorage,
  { vault, turn }: { readonly vault: Vault; readonly turn?: string },
): Host {
  return {
    // An assistant's changes are signed with the turn, so that they can be undone as a whole.
    files: createFiles(storage.as({ actor: 'assistant', ...(turn !== undefined && { turn }) })),
    fetch: lazyFetch,
    sandbox: lazySandbox(),
    secrets: vault,
  };
}

/** Loads the guard with the first request. */
const lazyFetch: Fetch = async (...request) => (await import('./tool-fetch.ts')).toolFetch(...request);

let loaded: Promise<Sandbox> | undefined;

/** The sandbox and its WebAssembly are loaded with the first script. */
function lazySandbox(): Pick<Sandbox, 'run'> {
  return {
    run: async (script) => {
      loaded ??= import('./sandbox.ts').then(({ openSandbox }) => openSandbox());
      const sandbox = await loaded.catch((cause: unknown) => {
        loaded = undefined; // the next script tries again
        throw new UtensilError('tool_failed', currentTexts().problems.sandboxNotLoaded, { cause });
      });
      return sandbox.run(script);
    },
  };
}
