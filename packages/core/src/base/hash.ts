import { canonicalJson } from './json.ts';
import type { Json } from './json.ts';

// The implementation is loaded with the first hash. Code that is itself loaded later has it from `sha256.ts` and
// `hash-now.ts`.

/** SHA-256 as 64 hexadecimal digits. Works without WebCrypto, which pages without TLS lack. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  return (await import('./sha256.ts')).hexNow(bytes);
}

/** Fingerprint of a JSON value: 32 hexadecimal digits, independent of key order. */
export async function fingerprint(value: Json): Promise<string> {
  return (await sha256Hex(new TextEncoder().encode(canonicalJson(value)))).slice(0, 32);
}
