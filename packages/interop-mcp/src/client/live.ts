import type { Client } from '@modelcontextprotocol/client';
import type { McpStatus } from './options.ts';
import type { McpTransport } from './server.ts';

/** An open connection. */
export interface Live {
  readonly client: Client;
  readonly transport: McpTransport;
}

/** Connection to a server, opened on demand. */
export interface Connection {
  readonly status: McpStatus;
  onStatus(listener: () => void): () => void;
  /** The open connection, or a new one. Concurrent callers share it. */
  live(): Promise<Live>;
  /** Drops an unusable connection. Returns whether it was the current one. */
  drop(live: Live, problem: string): boolean;
  close(): Promise<void>;
}
