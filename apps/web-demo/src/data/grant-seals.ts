import { hmacSeals } from '@utensil/core';
import type { Seals } from '@utensil/core';
import type { KeyStore } from './key-store.ts';

/**
 * Seals permissions that were given in this browser, with a key that scripts can use but not read. A permission therefore
 * counts only in the browser that gave it, even if the settings of a project come from elsewhere.
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
