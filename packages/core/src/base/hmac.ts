// A separate module, so that only this function is loaded later, not its whole package.
export { hmac } from '@noble/hashes/hmac.js';
