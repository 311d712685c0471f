// A separate module, so that apps load only these functions later, not the whole package.
export { hmac } from '@noble/hashes/hmac.js';
export { sha256 } from './sha256.ts';
