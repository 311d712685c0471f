import { hmacSeals } from '@utensil/core';
import type { Seals } from '@utensil/core';
import type { KeyStore } from './key-store.ts';

/**
 * Creates seals with a non-extractable key of this browser. A grant is therefore valid only in the browser that gave
 * it, even if a project's settings come from elsewhere.
 */
export function grantSeals(keys: KeyStore): Seals {
  let key: Promise<CryptoKey> | undefined;
  const open = async (): Promise<CryptoKey> =>
    (await keys.get()) ??
    keys.keep(await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']));
  return hmacSeals(async (message) => {
    key ??= open();
    const opened = await key.catch((error: unknown) => {
      key = undefined; // the next call tries again
      throw error;
    });
    return new Uint8Array(await crypto.subtle.sign('HMAC', opened, Uint8Array.from(message)));
  });
}
