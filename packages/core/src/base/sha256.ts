// A separate module, so that apps load only these functions later, not the whole package.
import { sha256 } from '@noble/hashes/sha2.js';

export { sha256 };

/** SHA-256 as 64 hexadecimal digits. */
export function hexNow(bytes: Uint8Array): string {
  return Array.from(sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
