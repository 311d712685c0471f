import { canonicalJson } from './json.ts';
import type { Json } from './json.ts';
import { sha256 } from './sha256.ts';

/** SHA-256 as 64 hexadecimal digits. */
export function hexNow(bytes: Uint8Array): string {
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fingerprint of a JSON value: 32 hexadecimal digits, independent of key order. */
export function fingerprintNow(value: Json): string {
  return shortHexNow(canonicalJson(value));
}

/** The first 32 digits of a text's SHA-256. */
export function shortHexNow(text: string): string {
  return hexNow(new TextEncoder().encode(text)).slice(0, 32);
}
