export { indexeddbStorage } from './indexeddb.ts';
export type { IndexeddbStorageOptions } from './indexeddb.ts';
