import type { Seals, ToolSource } from '@utensil/core';
import type { AskPerson } from './questions.ts';
import type { McpRoots } from './roots.ts';
import type { McpSampling } from './sampling.ts';

/** Options of {@link mcpSource}. */
export interface McpSourceOptions {
  /** Name of the server in messages. Default: the server's own. */
  readonly name?: string;
  /** Name of the app, sent to the server. Default: `utensil`. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Filter of tools, by the server's names. Default: all. */
  readonly include?: (name: string) => boolean;
  /** Milliseconds to connect. Default: 30,000. */
  readonly connectTimeMs?: number;
  /** Maximum milliseconds of a call without progress, in place of the run's `toolTimeMs`. Default: 60,000. */
  readonly callTimeMs?: number;
  /** Maximum milliseconds of a call, regardless of progress. Default: 600,000. */
  readonly maxCallTimeMs?: number;
  /** Maximum number of concurrent calls. Default: the run's limit. */
  readonly concurrency?: number;
  /** True to hide its tools from models until they search for them. Default: false. */
  readonly defer?: boolean;
  /**
   * Asks the person for values that the server requests during a call. Default: the server is told that nobody can be
   * asked.
   */
  readonly ask?: AskPerson;
  /**
   * Seals the state of waiting calls in a thread, so that another process can continue them: from `hmacSeals`, with a
   * shared key. Default: only this process can.
   */
  readonly seals?: Seals;
  /** Lets the server ask the run's model during a call. Default: the server is told that it cannot. */
  readonly sampling?: McpSampling;
  /** Directories of the project, for the server. Default: none are sent. */
  readonly roots?: McpRoots;
  /** Milliseconds in which a waiting call can be answered. Default: 86,400,000. */
  readonly answerTimeMs?: number;
  /** Called with a problem as a sentence: an unusable tool, a lost connection. If it throws, the error is reported as uncaught, like that of an event listener. */
  readonly onProblem?: (problem: string) => void;
}

/**
 * - `idle`: nothing was requested from the server yet.
 * - `degraded`: it cannot be reached, and is retried. Its tools stay, and their calls fail.
 */
export type McpState = 'idle' | 'connecting' | 'ready' | 'degraded' | 'closed';

/** State of a server. */
export interface McpStatus {
  readonly state: McpState;
  /** Reason for the degraded state. */
  readonly problem?: string;
  /** True if it is degraded until the user signs in: see `@utensil/interop-mcp/sign-in`. */
  readonly needsSignIn?: boolean;
  /** Name and version reported by the server. */
  readonly server?: { readonly name: string; readonly version: string; readonly title?: string };
  /** The server's instructions to models. Untrusted, so no prompt includes them by default. */
  readonly instructions?: string;
  /** Revision in use, such as `2026-07-28`. */
  readonly protocolVersion?: string;
}

/** The tools of an MCP server, to mount in a registry. Connects with the first listing. */
export interface McpSource extends ToolSource {
  readonly status: McpStatus;
  /** Calls the listener after each change of the status, until the returned function is called. */
  onStatus(listener: () => void): () => void;
  close(): Promise<void>;
}
