export { filesystemStorage } from './filesystem.ts';
export type { FilesystemStorageOptions } from './filesystem.ts';
export type { FileSystem } from './disk.ts';
