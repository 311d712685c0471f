import type { Tool } from './tool.ts';

/** Tools from elsewhere that come and go: those of a server, a plugin or a page. */
export interface ToolSource {
  /** All tools as they are now, under the names that the source gives them. A tool that is as it was is best the same object. */
  list(options: { readonly signal: AbortSignal }): readonly Tool[] | Promise<readonly Tool[]>;
  /** Calls the listener when the list has changed, until the returned function is called. Absent: it is listed once. */
  subscribe?(listener: () => void): () => void;
  /** Called once, when the source is unmounted. */
  close?(): void | Promise<void>;
}

/** How a source is mounted. */
export interface MountOptions {
  /**
   * Begins the names of its tools: `{namespace}_{tool}`. A letter, then up to 23 letters, digits and hyphens; without an
   * underscore, so that no two namespaces can have one name.
   */
  readonly namespace: string;
  /**
   * True if what its tools say of themselves is believed. Default false: they count as a stranger's, whose effects are worse
   * than they say, who may read and tell what anybody has written, and who gets nothing of the host.
   */
  readonly trusted?: boolean;
  /** How long it may take to list its tools, or to close. Default 30,000. */
  readonly timeoutMs?: number;
  /** How many of its tools are taken, in the order of their names. Default 1,000. */
  readonly limit?: number;
  /** Told why a list failed, or was cut. The tools of the last one that succeeded stay. */
  onProblem?(problem: string): void;
}

/** A source whose tools are in a registry. */
export interface Mount {
  /** Settles once the source has listed its tools for the first time, or has failed to. Never rejects. */
  readonly ready: Promise<void>;
  /** Takes its tools away at once, and closes it: settles when that is done, or took too long. Never rejects. */
  unmount(): Promise<void>;
}
