import type { Fetch, Sandbox } from '@utensil/core';

/** A sandbox with workers that can be terminated. */
export interface ClosableSandbox extends Sandbox {
  close(): Promise<void>;
}

/** A sandbox that is loaded with the first script: most conversations run none. */
export function lazySandbox(): ClosableSandbox {
  let loading: Promise<Sandbox & { close(): void }> | undefined;
  return {
    async run(script) {
      loading ??= import('@utensil/sandbox-quickjs/node').then(({ quickjsSandbox }) => quickjsSandbox());
      return (await loading).run(script);
    },
    close: async () => (await loading)?.close(),
  };
}

/** A guarded `fetch` that is loaded with the first request. */
export function lazyFetch(): Fetch {
  let loading: Promise<Fetch> | undefined;
  return async (url, request) => {
    loading ??= import('@utensil/guarded-fetch/node').then(({ guardedFetch }) => guardedFetch());
    return (await loading)(url, request);
  };
}
