import { encoder } from './text-encoding.ts';
import { UtensilError } from './errors.ts';
import { canonicalJson } from './json.ts';
import type { JsonObject } from './json.ts';

/** At least 32 random bytes, or a function that computes HMAC-SHA-256 with a key that nobody can read. */
export type SealKey = Uint8Array | ((message: Uint8Array) => Promise<Uint8Array>);

/** Seals that distinguish statements stored by the app from those written by another program. */
export interface Seals {
  /** Seal of a statement, as hexadecimal digits. */
  make(statement: JsonObject): Promise<string>;
  /** True if the seal belongs to exactly this statement. */
  fits(statement: JsonObject, seal: string): Promise<boolean>;
}

/** Length of the hash: a shorter key is easier to guess. */
const shortestKey = 32;

/**
 * Creates seals by HMAC-SHA-256. The app keeps the key outside the project, where neither tools nor commands can read
 * it.
 *
 * @throws `invalid_input` for a key that is too short.
 * @example
 * ```ts
 * import { hmacSeals } from '@utensil/core';
 *
 * const seals = hmacSeals(crypto.getRandomValues(new Uint8Array(32)));
 * const seal = await seals.make({ tool: 'search' });
 * await seals.fits({ tool: 'search' }, seal); // true
 * await seals.fits({ tool: 'delete' }, seal); // false
 * ```
 */
export function hmacSeals(key: SealKey): Seals {
  const sign = typeof key === 'function' ? key : signWith(key);
  const make = async (statement: JsonObject): Promise<string> => {
    const message = encoder.encode(`utensil seal 1\n${canonicalJson(statement)}`);
    return Array.from(checked(await sign(message)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  };
  return { make, fits: async (statement, seal) => isSame(await make(statement), seal) };
}

/** The app's function may return anything: without this check, empty bytes would seal every statement. */
function checked(code: Uint8Array): Uint8Array {
  if (code instanceof Uint8Array && code.length === codeLength) return code;
  throw new UtensilError(
    'invalid_input',
    `The key function for seals must give the ${codeLength} bytes of an HMAC-SHA-256, and gave something else.`,
  );
}

/** In bytes. */
const codeLength = 32;

function signWith(key: Uint8Array): (message: Uint8Array) => Promise<Uint8Array> {
  if (key.length < shortestKey)
    throw new UtensilError(
      'invalid_input',
      `A key for seals has at least ${shortestKey} random bytes, and this one has ${key.length}.`,
    );
  const kept = key.slice();
  return async (message) => {
    const { hmac, sha256 } = await import('./hmac.ts');
    return hmac(sha256, kept, message);
  };
}

/** Compares in constant time, so that the duration does not reveal the number of matching characters. */
function isSame(expected: string, given: string): boolean {
  let difference = expected.length ^ given.length;
  for (let index = 0; index < expected.length; index++)
    difference |= expected.charCodeAt(index) ^ given.charCodeAt(index % Math.max(1, given.length));
  return difference === 0;
}
