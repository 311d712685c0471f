import { canonicalJson } from './json.ts';
import type { Json } from './json.ts';

let sha256: ((bytes: Uint8Array) => Uint8Array) | undefined;

/** SHA-256 as 64 hexadecimal digits. Works without WebCrypto, which pages without TLS lack. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  ({ sha256 } = await import('./sha256.ts'));
  return hexOf(sha256(bytes));
}

/**
 * Synchronous SHA-256 of a text. Only after the first {@link sha256Hex} of the process, which loads the implementation.
 */
export function sha256HexNow(text: string): string {
  if (sha256 === undefined) throw new Error('Nothing has been hashed yet.');
  return hexOf(sha256(new TextEncoder().encode(text)));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Fingerprint of a JSON value: 32 hexadecimal digits, independent of key order. */
export async function fingerprint(value: Json): Promise<string> {
  return (await sha256Hex(new TextEncoder().encode(canonicalJson(value)))).slice(0, 32);
}
