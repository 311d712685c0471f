// A module of its own, so that what is loaded later is this one function, and not all that its package has.
export { sha256 } from '@noble/hashes/sha2.js';
