export { directoryReader } from './directory-reader.ts';
export type { DirectoryReader } from './directory-reader.ts';
export { processHolder } from './process-holder.ts';
export { filesystemStorage } from './filesystem.ts';
export type { FilesystemStorageOptions } from './filesystem.ts';
export type { FileSystem, OpenFile } from './file-system.ts';
