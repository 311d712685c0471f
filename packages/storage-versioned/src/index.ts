export { versionedStorage } from './versioned.ts';
export type { VersionedStorage, VersionedStorageOptions } from './versioned.ts';
export type { Author } from './author.ts';
export type { Compacted } from './compact.ts';
export type { FileVersion, History, VersionBytes } from './history.ts';
export type { Retention } from './retention.ts';
export type { Trashed } from './trash.ts';
