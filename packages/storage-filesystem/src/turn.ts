import { setImmediate as turn } from 'node:timers/promises';

/** Maximum duration of consecutive synchronous calls without a pause. */
const longestMs = 8;

/**
 * Yields to timers and sockets if they have waited for long. Most calls on a local disk are synchronous, and many of
 * them in a row would block everything else.
 */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async (): Promise<void> => {
    await turn();
    since = performance.now();
  };
  return () => (performance.now() - since > longestMs ? rest() : undefined);
}
