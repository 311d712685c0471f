/** Access to a server over HTTP: permitted host names and origins. */
export interface GateOptions {
  /** Host names, without port, by which the server may be called. Default: those of this machine. */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins of pages that may call the server, such as `https://app.example.com`; browsers are told by CORS. Default:
   * none, except programs, and pages of this machine that need no permission.
   */
  readonly allowedOrigins?: readonly string[];
}

/** Names of this machine. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Admits a request, or responds to it. */
export interface Gate {
  /** Response to a request that is not admitted, or to a browser's preflight. */
  answer(request: Request): Response | undefined;
  /** Adds the headers that a permitted page's browser needs. */
  finish(request: Request, response: Response): Response;
}

/** Protects servers on this machine from pages: checks the host name against DNS rebinding, and the origin. */
export function createGate({ allowedHosts = loopbackNames, allowedOrigins = [] }: GateOptions): Gate {
  const hosts = new Set(allowedHosts.map((each) => each.toLowerCase()));
  const origins = new Set(allowedOrigins);

  function isHostAllowed(request: Request): boolean {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    const url = parse(`http://${host}`);
    return url !== undefined && url.pathname === '/' && isBare(url) && hosts.has(url.hostname);
  }

  function isOriginAllowed(origin: string): boolean {
    if (origins.has(origin)) return true;
    const url = parse(origin);
    return url?.origin === origin && url.protocol.startsWith('http') && loopbackNames.includes(url.hostname);
  }

  return {
    answer(request) {
      if (!isHostAllowed(request)) return refused(403, 'This host name is not allowed.');
      const origin = request.headers.get('origin');
      if (origin === null) return undefined;
      if (!isOriginAllowed(origin)) return refused(403, 'This origin is not allowed.');
      return request.method === 'OPTIONS' && origins.has(origin) ? preflight(request) : undefined;
    },
    finish(request, response) {
      const origin = request.headers.get('origin');
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
      const isShared = origin !== null && origins.has(origin);
      if (!isStream && !isShared) return response;
      const headers = new Headers(response.headers);
      if (isStream) headers.set('X-Accel-Buffering', 'no'); // otherwise proxies delay events
      if (isShared) {
        headers.set('Access-Control-Allow-Origin', origin);
        headers.append('Vary', 'Origin');
        headers.set('Access-Control-Expose-Headers', 'WWW-Authenticate, MCP-Protocol-Version');
      }
      return new Response(response.body, { status: response.status, headers });
    },
  };
}

/** JSON-RPC error for a request that was not admitted. */
export function refused(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

const allowedHeader = /^(?:accept|authorization|content-type|mcp-[a-z0-9-]{1,100})$/;

function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers') ?? '';
  const names = asked.split(',').map((each) => each.trim().toLowerCase());
  return new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': names.filter((each) => allowedHeader.test(each)).join(', '),
      'Access-Control-Max-Age': '600',
    },
  });
}

function isBare({ username, password, search, hash }: URL): boolean {
  return `${username}${password}${search}${hash}` === '';
}

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
