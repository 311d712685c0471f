import { UtensilError } from '../base/errors.ts';
import type { Mount, MountOptions, ToolSource } from './source.ts';
import type { Tool } from './tool.ts';

const validNamespace = /^[A-Za-z][A-Za-z0-9-]{0,23}$/;

/** @throws `invalid_option` */
export function checkNamespace(namespace: string): void {
  if (validNamespace.test(namespace)) return;
  throw new UtensilError(
    'invalid_option',
    `Namespace "${namespace}" is not valid: use 1 to 24 letters, digits or -, beginning with a letter.`,
  );
}

/**
 * Keeps the tools of a source listed. The implementation is loaded with the first source. Calls `put` without tools at
 * the end.
 */
export function createMount(
  source: ToolSource,
  options: MountOptions,
  put: (tools: readonly Tool[] | undefined) => void,
): Mount {
  const closing = new AbortController();
  const listing = import('./listing.ts').then(({ keepListed }) =>
    keepListed(source, options, { put, signal: closing.signal }),
  );
  let closed: Promise<void> | undefined;
  return {
    ready: listing.then(({ ready }) => ready),
    unmount() {
      if (closed !== undefined) return closed;
      closing.abort(new Error('The source was unmounted.'));
      put(undefined);
      return (closed = listing.then(({ close }) => close()));
    },
  };
}
