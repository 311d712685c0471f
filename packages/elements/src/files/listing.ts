import { ancestorsOf, isWithin } from '@utensil/core/files';
import type { FileEntry, Files } from '@utensil/core';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { entriesIn } from './actions.ts';
import { rowsOf, sorted } from './tree.ts';
import type { TreeRow } from './tree.ts';

/** Requirements on the host element. */
export interface ListingHost extends ReactiveControllerHost {
  readonly files: Files;
  /** Called if the root cannot be read. */
  listingFailed(error: unknown): void;
}

/** Entries of open directories, reread whenever files change. */
export class Listing implements ReactiveController {
  readonly #host: ListingHost;
  #directories: ReadonlyMap<string, readonly FileEntry[]> = new Map();
  #open: ReadonlySet<string> = new Set(['/']);
  #stopWatching: (() => void) | undefined;
  #isConnected = false;

  constructor(host: ListingHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.watch();
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#stopWatching?.();
  }

  /** Rows of the tree. */
  get rows(): readonly TreeRow[] {
    return rowsOf(this.#directories, this.#open);
  }

  /** True if the root is known to be empty. */
  get isEmpty(): boolean {
    return this.#directories.get('/')?.length === 0;
  }

  entryOf(path: string | undefined): FileEntry | undefined {
    if (path === undefined) return undefined;
    for (const entries of this.#directories.values()) {
      const found = entries.find((entry) => entry.path === path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Clears the entries, before other files are listed. */
  clear(): void {
    this.#directories = new Map();
    this.#open = new Set(['/']);
  }

  /** Starts to watch the files. */
  watch(): void {
    this.#stopWatching?.();
    const { files } = this.#host;
    if (!this.#isConnected || !files) return;
    this.#stopWatching = files.watch('/', () => void this.#readOpen());
    void this.#readOpen();
  }

  /** Opens the directories on the way to a path. */
  async reveal(path: string): Promise<void> {
    this.#open = new Set([...this.#open, ...ancestorsOf(path)]);
    await this.#readOpen();
  }

  toggle(path: string, opens: boolean): void {
    const open = new Set(this.#open);
    if (opens) open.add(path);
    else open.delete(path);
    this.#open = open;
    this.#host.requestUpdate();
    if (opens) void this.#read(path);
  }

  async #readOpen(): Promise<void> {
    await Promise.all([...this.#open].map((path) => this.#read(path)));
  }

  async #read(path: string): Promise<void> {
    const { files } = this.#host;
    try {
      const entries = await entriesIn(files, path);
      if (files === this.#host.files) this.#directories = new Map(this.#directories).set(path, sorted(entries));
    } catch (error) {
      if (files !== this.#host.files) return;
      if (path === '/') this.#host.listingFailed(error);
      this.#open = new Set([...this.#open].filter((open) => !isWithin(path, open)));
    }
    this.#host.requestUpdate();
  }
}
