import type { FileStat } from '@utensil/core';

/** A version of a file, as `@utensil/storage-versioned` keeps it. */
export interface FileVersion {
  readonly number: number;
  /** `current` for what the file has now. */
  readonly id: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly author?: { readonly actor?: string; readonly turn?: string };
  /** Its content is gone, at somebody's wish. */
  readonly isErased?: boolean;
}

/** Something in the trash. */
export interface TrashedFile {
  readonly id: string;
  readonly path: string;
  /** `versions`: only the past of a file that another program removed. */
  readonly kind: 'file' | 'directory' | 'versions';
  /** `removed`, or `replaced` where something else was moved or written into its place. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
  readonly author?: { readonly actor?: string; readonly turn?: string };
}

/** The past of the files: what `<utensil-files>` needs of the `history` of a versioned storage. */
export interface FilesHistory {
  versions(path: string): Promise<readonly FileVersion[]>;
  read(path: string, version: number | string): Promise<FileVersion & { readonly bytes: Uint8Array }>;
  rollBack(path: string, version: number | string): Promise<FileStat>;
  trash(): Promise<readonly TrashedFile[]>;
  restore(id: string, options?: { readonly to?: string }): Promise<FileStat>;
  purge(id?: string): Promise<void>;
  compact(): Promise<{ readonly versions: number; readonly trashed: number }>;
}
