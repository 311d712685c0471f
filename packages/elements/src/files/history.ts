import type { FileStat } from '@utensil/core';

/** A version of a file in `@utensil/storage-versioned`. */
export interface FileVersion {
  readonly number: number;
  /** `current` for the current content. */
  readonly id: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  readonly author?: { readonly actor?: string; readonly turn?: string };
  /** True if the content was erased on request. */
  readonly isErased?: boolean;
}

/** An entry of the trash. */
export interface TrashedFile {
  readonly id: string;
  readonly path: string;
  /** `versions`: only old versions of a file that another program removed. */
  readonly kind: 'file' | 'directory' | 'versions';
  /** `removed`, or `replaced` by a move or write. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly removedAt: number;
  readonly author?: { readonly actor?: string; readonly turn?: string };
}

/** Part of the `history` of a versioned storage that `<utensil-files>` uses. */
export interface FilesHistory {
  versions(path: string): Promise<readonly FileVersion[]>;
  read(path: string, version: number | string): Promise<FileVersion & { readonly bytes: Uint8Array }>;
  rollBack(path: string, version: number | string): Promise<FileStat>;
  trash(): Promise<readonly TrashedFile[]>;
  restore(id: string, options?: { readonly to?: string }): Promise<FileStat>;
  purge(id?: string): Promise<void>;
  compact(): Promise<{ readonly versions: number; readonly trashed: number }>;
}
