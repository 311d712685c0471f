import type { Grants, Policy, Principal, RunLimits, Toolset } from '@utensil/core';

/** Sender of a request. */
export interface McpCaller {
  /** Absent: not authenticated. */
  readonly principal?: Principal;
  /** Scopes of the token. */
  readonly scopes?: readonly string[];
}

/**
 * The served tools: one toolset, or a function that returns the toolset of each caller. It is called for each HTTP
 * request; over stdio for each call, and each change reported by `subscribe`. Everything else is unknown to that
 * caller, in lists and calls.
 */
export type ServedTools = Toolset | ((caller: McpCaller) => Toolset);

/** Options of every MCP server. */
export interface McpServerOptions {
  /** Name of the server, for programs. */
  readonly name: string;
  readonly version: string;
  /** Title of the server, for people. */
  readonly title?: string;
  /** For the client's model. Default: none. */
  readonly instructions?: string;
  /** Default: `default`. */
  readonly projectId?: string;
  /**
   * Decides about the calls of a toolset without its own guard. Default: `permissions('write')`: reads run, all other
   * calls are asked about.
   */
  readonly policy?: Policy;
  /** Existing grants, for a toolset without its own guard. Default: none. */
  readonly grants?: Grants;
  /** Limits of each call, for a toolset without its own guard. */
  readonly limits?: Pick<RunLimits, 'toolTimeMs' | 'toolOutput'>;
  /**
   * Calls the listener after the tools have changed, until the returned function is called. Absent: they never change.
   */
  readonly subscribe?: (listener: () => void) => () => void;
  /**
   * Key of at least 32 bytes that authenticates questions to clients. Processes that serve the same clients need the
   * same key. Default: a new one per server.
   */
  readonly stateKey?: Uint8Array<ArrayBuffer>;
  /** Milliseconds in which a client may answer a question. Default: 600,000. */
  readonly answerTimeMs?: number;
  /**
   * Returns true the first time it is called with an id, so that an answer works once. Processes that serve the same
   * clients need a shared one. Default: in memory. After `expiresAt`, in milliseconds since 1970, the id may be
   * dropped.
   */
  readonly takeOnce?: (id: string, expiresAt: number) => boolean | Promise<boolean>;
  /** Called with faults and refused requests, whose details clients do not get. */
  readonly onError?: (error: Error) => void;
}
