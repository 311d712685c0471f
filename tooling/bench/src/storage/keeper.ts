/** A file to be kept. */
export interface Content {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Something that keeps files, in the way that its makers recommend. */
export interface Keeper {
  makeDirectories(paths: readonly string[]): Promise<void>;
  /** Keeps files in directories that are there; several are asked for at once. */
  write(files: readonly Content[]): Promise<void>;
  read(path: string): Promise<Uint8Array>;
  /** The names in a directory, with as much about each as its makers tell. */
  list(directory: string): Promise<readonly string[]>;
  /** The paths of the files of a directory that contain a text. */
  search(directory: string, text: string): Promise<readonly string[]>;
  /** Bytes that it has handed on to be stored, where it can count them itself. */
  written?(): number;
  close(): Promise<void>;
}
