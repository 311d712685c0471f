import { hmacSeals } from '@utensil/core';
import type { Seals } from '@utensil/core';
import type { KeyStore } from './key-store.ts';

/**
 * Seals of what a person allows in this browser, with a key that scripts can use and cannot read. So a permission counts
 * where it was given alone, wherever the settings of a project come from.
 */
export function grantSeals(keys: KeyStore): Seals {
  let key: Promise<CryptoKey> | undefined;
  const open = async (): Promise<CryptoKey> =>
    (await keys.get()) ??
    keys.keep(await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign']));
  return hmacSeals(async (message) => {
    key ??= open();
    const opened = await key.catch((error: unknown) => {
      key = undefined; // what was wrong may be over the next time
      throw error;
    });
    return new Uint8Array(await crypto.subtle.sign('HMAC', opened, Uint8Array.from(message)));
  });
}
