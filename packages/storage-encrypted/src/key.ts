import { UtensilError } from '@utensil/core';

/**
 * What everything is encrypted with: 32 random bytes, or a `CryptoKey` of WebCrypto for `HKDF` (with the usage
 * `deriveBits`, as {@link deriveKey} makes one) or for `AES-GCM` with 256 bits (with the usage `encrypt`). It should
 * serve no other purpose.
 */
export type StorageKey = Uint8Array | CryptoKey;

/** What {@link deriveKey} may be told. */
export interface DeriveKeyOptions {
  /** How often the passphrase is hashed: 600,000 times by default, and not less often. */
  readonly iterations?: number;
}

const leastIterations = 600_000;
const leastSaltBytes = 16;
const keyBytes = 32;

/**
 * A key from a passphrase (PBKDF2 with SHA-256). The salt is random, 16 bytes or more, no secret, and has to be kept:
 * the same passphrase gives the same key only with the same salt and iterations.
 *
 * @example
 * ```ts
 * import { deriveKey } from '@utensil/storage-encrypted';
 *
 * const salt = crypto.getRandomValues(new Uint8Array(16));
 * const key = await deriveKey('correct horse battery staple', salt);
 * console.log(key.extractable); // false
 * ```
 */
export async function deriveKey(
  passphrase: string,
  salt: Uint8Array,
  { iterations = leastIterations }: DeriveKeyOptions = {},
): Promise<CryptoKey> {
  if (passphrase === '') throw invalid('The passphrase is empty.');
  if (salt.length < leastSaltBytes) throw invalid(`A salt has at least ${leastSaltBytes} random bytes.`);
  if (!Number.isInteger(iterations) || iterations < leastIterations) {
    throw invalid(`A passphrase is hashed at least ${leastIterations} times.`);
  }
  const { subtle } = webCrypto();
  const secret = await subtle.importKey('raw', utf8(passphrase.normalize('NFC')), 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(salt), iterations };
  return importSecret(await subtle.deriveBits(algorithm, secret, keyBytes * 8));
}

/** The keys for one storage, each for one purpose. */
export interface Keys {
  /** Derives the key of each file. */
  readonly content: CryptoKey;
  readonly nameEncryption: CryptoKey;
  readonly nameAuthentication: CryptoKey;
  /** Finds names that differ only in case. */
  readonly nameComparison: CryptoKey;
  /** Proves that a header was written with the same key. */
  readonly proof: CryptoKey;
}

/** What a key tells of itself. */
interface Traits {
  readonly algorithm?: { readonly name: string; readonly length?: number };
  readonly usages?: readonly KeyUsage[];
}

/** Refuses at once what is no key. */
export function checkKey(key: StorageKey): void {
  webCrypto();
  if (key instanceof Uint8Array) {
    if (key.length !== keyBytes) throw invalid(`A key has ${keyBytes} bytes, not ${key.length}.`);
    return;
  }
  const { algorithm, usages }: Traits = key ?? {};
  const isLong = algorithm?.length === keyBytes * 8;
  const canDerive = algorithm?.name === 'HKDF' && usages?.includes('deriveBits');
  const canEncrypt = algorithm?.name === 'AES-GCM' && isLong && usages?.includes('encrypt');
  if (!canDerive && !canEncrypt) {
    throw invalid("Give 32 bytes, a CryptoKey for HKDF ('deriveBits'), or one for AES-GCM with 256 bits ('encrypt').");
  }
}

/** The keys for the storage that has this salt. */
export async function deriveKeys(key: StorageKey, salt: Uint8Array<ArrayBuffer>): Promise<Keys> {
  const { subtle } = webCrypto();
  const secret = await toSecret(key, salt);
  const derive = async (purpose: string): Promise<ArrayBuffer> => {
    const info = utf8(`utensil storage-encrypted 1 ${purpose}`);
    return subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, secret, keyBytes * 8);
  };
  const forHash = async (purpose: string): Promise<CryptoKey> =>
    subtle.importKey('raw', await derive(purpose), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
  return {
    content: await subtle.importKey('raw', await derive('content'), 'HKDF', false, ['deriveKey']),
    nameEncryption: await subtle.importKey('raw', await derive('name encryption'), 'AES-CTR', false, [
      'encrypt',
      'decrypt',
    ]),
    nameAuthentication: await forHash('name authentication'),
    nameComparison: await forHash('name comparison'),
    proof: await forHash('proof'),
  };
}

/** A key for AES cannot derive others; what it makes of zeros, for a nonce of this storage alone, can. */
async function toSecret(key: StorageKey, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  if (key instanceof Uint8Array) return importSecret(new Uint8Array(key));
  if (key.algorithm.name === 'HKDF') return key;
  const zeros = new Uint8Array(keyBytes);
  const stream = await webCrypto().subtle.encrypt({ name: 'AES-GCM', iv: salt.slice(0, 12) }, key, zeros);
  return importSecret(stream.slice(0, keyBytes));
}

function importSecret(bytes: BufferSource): Promise<CryptoKey> {
  return webCrypto().subtle.importKey('raw', bytes, 'HKDF', false, ['deriveBits']);
}

function webCrypto(): Crypto {
  if (globalThis.crypto?.subtle === undefined) {
    throw new UtensilError(
      'EIO',
      'EIO: input or output failed. There is no WebCrypto here: browsers have it on pages with https, and on localhost.',
    );
  }
  return crypto;
}

/** The UTF-8 of a text. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function invalid(hint: string): UtensilError {
  return new UtensilError('EINVAL', `EINVAL: invalid argument. ${hint}`);
}
