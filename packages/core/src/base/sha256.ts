// A separate module, so that only this function is loaded later, not its whole package.
export { sha256 } from '@noble/hashes/sha2.js';
