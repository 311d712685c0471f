import { canonicalJson } from './json.ts';
import type { Json } from './json.ts';

/** SHA-256 of some bytes, as 64 hexadecimal digits. Works where WebCrypto does not: on pages without TLS. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const { sha256 } = await import('./sha256.ts');
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Identifies a JSON value by its content: 32 hexadecimal digits, whatever the order of its keys. */
export async function fingerprint(value: Json): Promise<string> {
  return (await sha256Hex(new TextEncoder().encode(canonicalJson(value)))).slice(0, 32);
}
