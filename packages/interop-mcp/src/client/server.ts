/** The revisions of MCP that are spoken: those until 2025-11-25, those since 2026-07-28, or the newest that the server has. */
export type McpEra = 'legacy' | 'modern' | 'auto';

/** Carries the messages of MCP to a server and back, as the official SDK has it. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: object, options?: object): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
  /** The end of what the server has said beside the protocol, for people. */
  said?(): string;
}

/** Signs requests to a server in. */
export interface McpAuthProvider {
  /** The bearer token for the next request. */
  token(): Promise<string | undefined>;
  /** Called after a 401; the request is made once more. */
  onUnauthorized?(context: {
    readonly response: Response;
    readonly serverUrl: URL;
    readonly fetchFn: (url: string | URL, init?: RequestInit) => Promise<Response>;
  }): Promise<void>;
}

type McpFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A user at a server: what `server(…)` of `createSignIn` gives. */
export interface McpSignIn {
  connection(options: { readonly fetch: McpFetch }): {
    readonly authProvider: McpAuthProvider;
    readonly fetch: McpFetch;
  };
  onChange(listener: () => void): () => void;
}

/** A server that is reached over Streamable HTTP. */
export interface McpHttpServer {
  /** `https:`, or `http:` for names of this machine. */
  readonly url: string | URL;
  /** Sent with each request, to this origin alone. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Gets and renews the token of requests, or is an OAuth provider of the official SDK. Default: nobody is signed in. */
  readonly authProvider?: McpAuthProvider | object;
  /** Signs the user in, in place of `authProvider`: see `@utensil/interop-mcp/sign-in`. The tools are listed anew when they have signed in. */
  readonly signIn?: McpSignIn;
  /** Default: that of the platform. */
  readonly fetch?: McpFetch;
  /** Permits `http:` to other machines, which anybody between can read. Default false. */
  readonly allowHttp?: boolean;
  /** Bytes of a message; one that is larger fails its request. Default 10 MiB. */
  readonly maxMessageBytes?: number;
  /** Default `auto`. */
  readonly era?: McpEra;
}

/** A server that is reached in another way, such as a process: `stdioServer` of `@utensil/interop-mcp/node`. */
export interface McpCustomServer {
  /** Makes the transport of one connection. */
  transport(): McpTransport | Promise<McpTransport>;
  /** Default `legacy`. */
  readonly era?: McpEra;
  /**
   * Identifies the server, such as its command: what a user allows for its tools does not count for those of another one. It is hashed, and
   * shown to nobody. Default: only the namespace tells servers apart.
   */
  readonly identity?: string;
}

/** Identifies a server, for the fingerprints of its tools. */
export function identityOf(server: McpServer): string | undefined {
  return 'url' in server ? new URL(String(server.url)).href : server.identity;
}

/** The address of a server. */
export type McpServer = McpHttpServer | McpCustomServer;
