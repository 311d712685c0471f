/** Revisions of MCP to use: those until 2025-11-25, those since 2026-07-28, or the server's newest. */
export type McpEra = 'legacy' | 'modern' | 'auto';

/** Transport of MCP messages, in the form of the official SDK. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** Tail of the server's error output, for people. */
  said?(): string;
}

/** Signs requests to a server. */
export interface McpAuthProvider {
  /** Bearer token for the next request. */
  token(): Promise<string | undefined>;
  /** Called after a 401; the request is then repeated. */
  onUnauthorized?(context: {
    readonly response: Response;
    readonly serverUrl: URL;
    readonly fetchFn: (url: string | URL, init?: RequestInit) => Promise<Response>;
  }): Promise<void>;
}

type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A user at a server, from `server(…)` of `createSignIn`. */
export interface McpSignIn {
  connection(options: { readonly fetch: McpFetch }): {
    readonly authProvider: McpAuthProvider;
    readonly fetch: McpFetch;
  };
  onChange(listener: () => void): () => void;
}

/** A server over Streamable HTTP. */
export interface McpHttpServer {
  /** `https:`, or `http:` for names of this machine. */
  readonly url: string | URL;
  /** Sent with each request, to this origin only. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Provides and renews the token of requests, or is an OAuth provider of the official SDK. Default: no authentication.
   */
  readonly authProvider?: McpAuthProvider | object;
  /**
   * Signs the user in, in place of `authProvider`: see `@utensil/interop-mcp/sign-in`. The tools are listed again after
   * a sign-in.
   */
  readonly signIn?: McpSignIn;
  /** Default: the platform's. */
  readonly fetch?: McpFetch;
  /** Permits unencrypted `http:` to other machines. Default: false. */
  readonly allowHttp?: boolean;
  /** Maximum bytes of a message; a larger one fails its request. Default: 10 MiB. */
  readonly maxMessageBytes?: number;
  /** Default: `auto`. */
  readonly era?: McpEra;
}

/** A server over any other transport, such as a process: `stdioServer` of `@utensil/interop-mcp/node`. */
export interface McpCustomServer {
  /** Creates the transport of a connection. */
  transport(): McpTransport | Promise<McpTransport>;
  /** Default: `legacy`. */
  readonly era?: McpEra;
  /**
   * Identity of the server, such as its command: grants for its tools do not apply to another server. Hashed, and never
   * shown. Default: only the namespace distinguishes servers.
   */
  readonly identity?: string;
}

/** Identity of a server, for the fingerprints of its tools. */
export function identityOf(server: McpServer): string | undefined {
  return 'url' in server ? new URL(String(server.url)).href : server.identity;
}

/** Address of the server. */
export type McpServer = McpHttpServer | McpCustomServer;
