import type { Grants, Policy, Principal, RunLimits, Toolset } from '@utensil/core';

/** Who makes a request. */
export interface McpCaller {
  /** Absent: nobody was authenticated. */
  readonly principal?: Principal;
  /** Those of the token. */
  readonly scopes?: readonly string[];
}

/**
 * The tools that are served: one toolset, or a function that gives the toolset of each caller. It is asked at
 * each HTTP request, and over stdio at each call and each change that `subscribe` tells of. What it does not give is unknown to that caller, in lists and in calls.
 */
export type ServedTools = Toolset | ((caller: McpCaller) => Toolset);

/** Options of every MCP server. */
export interface McpServerOptions {
  /** Of the server, for programs. */
  readonly name: string;
  readonly version: string;
  /** Of the server, for people. */
  readonly title?: string;
  /** For the model of the client. Default: none. */
  readonly instructions?: string;
  /** Default `default`. */
  readonly projectId?: string;
  /**
   * Decides over the calls of a toolset that has no guard of its own. Default `permissions('write')`: what only reads here runs, all
   * else is asked.
   */
  readonly policy?: Policy;
  /** Permissions given before, for a toolset that has no guard of its own. Default: none. */
  readonly grants?: Grants;
  /** Bounds of each call, for a toolset that has no guard of its own. */
  readonly limits?: Pick<RunLimits, 'toolTimeMs' | 'toolOutput'>;
  /** Calls the listener when the tools have changed, until the returned function is called. Absent: they never change. */
  readonly subscribe?: (listener: () => void) => () => void;
  /**
   * At least 32 bytes, by which questions to clients are authenticated. Processes that serve the same clients need the same key.
   * Default: a new one for each server.
   */
  readonly stateKey?: Uint8Array<ArrayBuffer>;
  /** Milliseconds in which a client may answer a question. Default 600,000. */
  readonly answerTimeMs?: number;
  /**
   * True the first time that it is asked for an id, so that an answer counts once. Processes that serve the same clients need a shared
   * one. Default: in memory. `expiresAt`: milliseconds since 1970, after which the id may be forgotten.
   */
  readonly takeOnce?: (id: string, expiresAt: number) => boolean | Promise<boolean>;
  /** Told of what clients are not told: faults, and requests that were refused. */
  readonly onError?: (error: Error) => void;
}
