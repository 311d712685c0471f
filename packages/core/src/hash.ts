import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson } from './json.ts';
import type { Json } from './json.ts';

/** SHA-256 of some bytes, as 64 hexadecimal digits. */
export function sha256Hex(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** Identifies a JSON value by its content: 32 hexadecimal digits, whatever the order of its keys. */
export function fingerprint(value: Json): string {
  return sha256Hex(utf8ToBytes(canonicalJson(value))).slice(0, 32);
}
