import { setImmediate as turn } from 'node:timers/promises';

/** So long may calls that wait for nothing follow each other without a pause. */
const longestMs = 8;

/**
 * Lets timers and sockets have their turn when they have had none for long: most calls of a local disk are over at
 * once, and many of them in a row would keep everybody else waiting.
 */
export function createPause(): () => Promise<void> | undefined {
  let since = performance.now();
  const rest = async (): Promise<void> => {
    await turn();
    since = performance.now();
  };
  return () => (performance.now() - since > longestMs ? rest() : undefined);
}
