import type { Seals, ToolSource } from '@utensil/core';
import type { AskPerson } from './questions.ts';
import type { McpRoots } from './roots.ts';
import type { McpSampling } from './sampling.ts';

/** Options of {@link mcpSource}. */
export interface McpSourceOptions {
  /** The name of the server, in messages. Default: what the server calls itself. */
  readonly name?: string;
  /** Name of the app for the server. Default `utensil`. */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** The tools that are taken, by the names that the server gives them. Default: all. */
  readonly include?: (name: string) => boolean;
  /** Milliseconds to connect. Default 30,000. */
  readonly connectTimeMs?: number;
  /** Maximum milliseconds of a call without progress, instead of the run's `toolTimeMs`. Default 60,000. */
  readonly callTimeMs?: number;
  /** Milliseconds of a call in all, whatever progress it makes. Default 600,000. */
  readonly maxCallTimeMs?: number;
  /** Calls that run at once. Default: as many as the run allows. */
  readonly concurrency?: number;
  /** True if its tools are hidden from models until they are searched for. Default false. */
  readonly defer?: boolean;
  /** Asks the person what the server wants to know in the middle of a call. Default: the server is told that nobody can be asked. */
  readonly ask?: AskPerson;
  /**
   * Seal what a thread keeps of a call that waits for an answer, so that another process can go on with it: of `hmacSeals`, with a
   * key that all of them have. Default: only this process can.
   */
  readonly seals?: Seals;
  /** Lets the server ask the model of the run in the middle of a call. Default: the server is told that it cannot. */
  readonly sampling?: McpSampling;
  /** The directories of the project, for the server to work in. Default: the server is told of none. */
  readonly roots?: McpRoots;
  /** Milliseconds in which a call that waits may be answered. Default 86,400,000. */
  readonly answerTimeMs?: number;
  /** Called with a problem as a sentence: an unusable tool, a lost connection. */
  readonly onProblem?: (problem: string) => void;
}

/**
 * - `idle`: nothing was asked of the server yet.
 * - `degraded`: it cannot be reached, and is tried again. Its tools stay, and their calls fail.
 */
export type McpState = 'idle' | 'connecting' | 'ready' | 'degraded' | 'closed';

/** The state of a server. */
export interface McpStatus {
  readonly state: McpState;
  /** Reason for the degraded state. */
  readonly problem?: string;
  /** True if it is degraded until the user signs in: see `@utensil/interop-mcp/sign-in`. */
  readonly needsSignIn?: boolean;
  /** The name and version that it gives. */
  readonly server?: { readonly name: string; readonly version: string; readonly title?: string };
  /** Its instructions to models. Anybody may have written them, so no prompt includes them by default. */
  readonly instructions?: string;
  /** The revision that is spoken, such as `2026-07-28`. */
  readonly protocolVersion?: string;
}

/** The tools of an MCP server, to be mounted in a registry. It connects with the first list. */
export interface McpSource extends ToolSource {
  readonly status: McpStatus;
  /** Calls the listener after each change of the status, until the returned function is called. */
  onStatus(listener: () => void): () => void;
  close(): Promise<void>;
}
