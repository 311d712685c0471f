import { canonicalJson } from './json.ts';
import type { Json } from './json.ts';
import { hexNow } from './sha256.ts';

/** Fingerprint of a JSON value: 32 hexadecimal digits, independent of key order. */
export function fingerprintNow(value: Json): string {
  return shortHexNow(canonicalJson(value));
}

/** The first 32 digits of a text's SHA-256. */
export function shortHexNow(text: string): string {
  return hexNow(new TextEncoder().encode(text)).slice(0, 32);
}
