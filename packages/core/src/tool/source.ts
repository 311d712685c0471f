import type { Tool } from './tool.ts';

/** Tools from elsewhere that come and go: those of a server, a plugin or a page. */
export interface ToolSource {
  /** The current tools, under the source's own names. An unchanged tool should be the same object. */
  list(options: { readonly signal: AbortSignal }): readonly Tool[] | Promise<readonly Tool[]>;
  /**
   * Calls the listener when the list has changed; returns a function that stops it. Absent: the source is listed once.
   */
  subscribe?(listener: () => void): () => void;
  /**
   * Time limit of a call of its tools in milliseconds, which overrides that of the run: for sources that end calls
   * themselves, such as those that make no progress. 0: no limit. Default: the run's.
   */
  readonly toolTimeMs?: number;
  /** Called once, when the source is unmounted. */
  close?(): void | Promise<void>;
}

/** Options of mounting a source. */
export interface MountOptions {
  /**
   * Prefix of its tools' names: `{namespace}_{tool}`. A letter, then up to 23 letters, digits and hyphens; no
   * underscore, so that names of two namespaces cannot collide.
   */
  readonly namespace: string;
  /**
   * True to trust the tools' annotations. Default: false. Untrusted tools can only declare worse effects, count as
   * open-world, and get no capabilities of the host.
   */
  readonly trusted?: boolean;
  /** Time limit for listing its tools, and for closing, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Maximum number of its tools, in name order. Default: 1,000. */
  readonly limit?: number;
  /** Called with the reason if a listing failed or was truncated. The tools of the last successful one stay. */
  onProblem?(problem: string): void;
}

/** A mounted source. */
export interface Mount {
  /** Resolves once the first listing has succeeded or failed. Never rejects. */
  readonly ready: Promise<void>;
  /** Removes its tools at once, and closes it: resolves when that is done, or has timed out. Never rejects. */
  unmount(): Promise<void>;
}
