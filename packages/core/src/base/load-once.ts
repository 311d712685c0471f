import { messageOf, UtensilError } from './errors.ts';
import type { Eventually } from './eventually.ts';

/**
 * Returns a function that loads code once, and has it at once afterwards. A load that failed is tried again.
 *
 * @throws `code_unavailable`: the network is down, or the files of the app were replaced.
 */
export function loadOnce<Code extends object>(load: () => Promise<Code>): () => Eventually<Code> {
  let loaded: Code | undefined;
  let loading: Promise<Code> | undefined; // shared, so that calls that wait for it go on together
  return () => loaded ?? (loading ??= load().then((code) => (loaded = code), failed));

  function failed(cause: unknown): never {
    loading = undefined;
    const message = `A part of the app could not be loaded (${messageOf(cause)}). Check the network and reload the app, which may have a new version.`;
    throw new UtensilError('code_unavailable', message, { cause, retryable: true });
  }
}
