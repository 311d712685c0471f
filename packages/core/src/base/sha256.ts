import { sha256 } from '@noble/hashes/sha2.js';

// A separate module, so that only this function is loaded later, not its whole package.
export { sha256 };

/** SHA-256 as 64 hexadecimal digits. */
export function hexNow(bytes: Uint8Array): string {
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
