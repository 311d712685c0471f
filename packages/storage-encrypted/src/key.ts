import { UtensilError } from '@utensil/core';

/**
 * The main key: 32 random bytes, or a `CryptoKey` of WebCrypto for `HKDF` (usage `deriveBits`; {@link deriveKey}
 * creates one) or for `AES-GCM` with 256 bits (usage `encrypt`). Use it for nothing else.
 */
export type StorageKey = Uint8Array | CryptoKey;

/** Options of {@link deriveKey}. */
export interface DeriveKeyOptions {
  /** Number of PBKDF2 iterations. Default and minimum: 600,000. */
  readonly iterations?: number;
}

const leastIterations = 600_000;
const leastSaltBytes = 16;
const keyBytes = 32;

/**
 * Derives a key from a passphrase with PBKDF2 and SHA-256. The salt must be random and at least 16 bytes. It is not
 * secret, but must be stored: the same key needs the same passphrase, salt and iterations.
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
  if (salt.length < leastSaltBytes) throw invalid(`A salt needs at least ${leastSaltBytes} random bytes.`);
  if (!Number.isInteger(iterations) || iterations < leastIterations) {
    throw invalid(`A passphrase needs at least ${leastIterations} iterations.`);
  }
  const { subtle } = webCrypto();
  const secret = await subtle.importKey('raw', utf8(passphrase.normalize('NFC')), 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(salt), iterations };
  return importSecret(await subtle.deriveBits(algorithm, secret, keyBytes * 8));
}

/** Keys of one storage, one per purpose. */
export interface Keys {
  /** Derives the key of each content. */
  readonly content: CryptoKey;
  readonly nameEncryption: CryptoKey;
  readonly nameAuthentication: CryptoKey;
  /** Identifies names that differ only in case. */
  readonly nameComparison: CryptoKey;
  /** Proves that a header was written with the same key. */
  readonly proof: CryptoKey;
}

/** Properties of a key. */
interface Traits {
  readonly algorithm?: { readonly name: string; readonly length?: number };
  readonly usages?: readonly KeyUsage[];
}

/** Throws for an unusable key. */
export function checkKey(key: StorageKey): void {
  webCrypto();
  if (key instanceof Uint8Array) {
    if (key.length !== keyBytes) throw invalid(`A key needs ${keyBytes} bytes, not ${key.length}.`);
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

/** Derives the keys of the storage with this salt. */
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

/** An AES key cannot derive keys, but its encryption of zeros, under a nonce unique to this storage, can. */
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
      'EIO: input or output failed. WebCrypto is unavailable: browsers provide it only on HTTPS pages and on localhost.',
    );
  }
  return crypto;
}

/** Encodes a text as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function invalid(hint: string): UtensilError {
  return new UtensilError('EINVAL', `EINVAL: invalid argument. ${hint}`);
}
