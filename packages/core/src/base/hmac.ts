// A separate module, so that only these functions are loaded later, not their whole package.
export { hmac } from '@noble/hashes/hmac.js';
export { sha256 } from './sha256.ts';
