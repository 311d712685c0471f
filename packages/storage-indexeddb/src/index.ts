export { indexeddbStorage } from './indexeddb.ts';
export type { IndexeddbStorageOptions } from './indexeddb.ts';
export { tabHolder } from './tab-holder.ts';
