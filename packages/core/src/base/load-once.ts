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
  async function begin(): Promise<Code> {
    try {
      return (loaded = await load());
    } catch (cause) {
      const hint = 'Check the network and reload the app, which may have a new version.';
      const message = `A part of the app could not be loaded (${messageOf(cause)}). ${hint}`;
      throw new UtensilError('code_unavailable', message, { cause, retryable: true });
    } finally {
      loading = undefined;
    }
  }

  return () => loaded ?? (loading ??= begin());
}
