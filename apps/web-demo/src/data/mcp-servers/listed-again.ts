import type { ToolSource } from '@utensil/core';
import type { McpSource } from '@utensil/interop-mcp/client';

/** Milliseconds before the first repetition of a listing that failed; doubled for each further one. */
const firstPause = 5_000;
const longestPause = 300_000;

/**
 * The source, listed again if that has failed or taken too long on an open connection: by itself, it repeats only
 * connections. `listed` is called after each success.
 */
export function listedAgain(source: McpSource, listed: () => void): ToolSource {
  let again = (): void => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  function soon(): void {
    timer = setTimeout(() => again(), Math.min(longestPause, firstPause * 2 ** failures++));
  }

  return {
    ...source,
    async list({ signal }) {
      clearTimeout(timer);
      try {
        const tools = await source.list({ signal });
        if (signal.aborted) soon(); // nobody waits for these any more
        else {
          failures = 0;
          listed();
        }
        return tools;
      } catch (error) {
        if (source.status.state === 'ready') soon();
        throw error;
      }
    },
    subscribe(listener) {
      again = listener;
      return source.subscribe?.(listener) ?? (() => undefined);
    },
    close() {
      clearTimeout(timer);
      return source.close();
    },
  };
}
