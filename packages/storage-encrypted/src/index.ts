export { encryptedStorage } from './encrypted.ts';
export type { EncryptedStorageOptions } from './encrypted.ts';
export type { NamesPolicy } from './header.ts';
export { deriveKey } from './key.ts';
export type { DeriveKeyOptions, StorageKey } from './key.ts';
