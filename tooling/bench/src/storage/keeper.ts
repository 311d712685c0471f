/** A file to store. */
export interface Content {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A storage of files, used as its makers recommend. */
export interface Keeper {
  makeDirectories(paths: readonly string[]): Promise<void>;
  /** Stores files in existing directories; several at the same time. */
  write(files: readonly Content[]): Promise<void>;
  read(path: string): Promise<Uint8Array>;
  /** Lists a directory, with the metadata that its makers return. */
  list(directory: string): Promise<readonly string[]>;
  /** Finds the files of a directory that contain a text. */
  search(directory: string, text: string): Promise<readonly string[]>;
  /** Bytes passed on to be stored, if it can count them. */
  written?(): number;
  close(): Promise<void>;
}
