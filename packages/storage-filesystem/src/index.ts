export { filesystemStorage } from './filesystem.ts';
export type { FilesystemStorageOptions } from './filesystem.ts';
export type { FileSystem, OpenFile } from './disk.ts';
