import { createBearer } from './bearer.ts';
import type { BearerAuth } from './bearer.ts';
import { createCard } from './card.ts';
import type { McpServerCard } from './card.ts';
import { createGate } from './gate.ts';
import type { GateOptions } from './gate.ts';
import { authOf, createInstances } from './instances.ts';
import type { McpCaller, McpServerOptions, ServedTools } from './options.ts';
import { loadSdk } from './sdk.ts';

/** Options of {@link mcpHandler}. */
export interface McpHandlerOptions extends McpServerOptions, GateOptions {
  /**
   * Requires bearer tokens. Default: everyone who reaches the server is admitted, unless the app identifies the caller.
   */
  readonly auth?: BearerAuth;
  /** Published at `{path}/server-card`, for everyone who can reach the server. Default: none. */
  readonly card?: McpServerCard;
  /** Maximum bytes of a request. Default: 4 MiB. */
  readonly maxBodyBytes?: number;
}

/** An MCP server for HTTP. */
export interface McpHandler {
  /** Responds to a request. `caller`: its sender, if the app has identified it. */
  fetch(request: Request, options?: { readonly caller?: McpCaller }): Promise<Response>;
  /** Cancels all calls, and ends all streams. */
  close(): Promise<void>;
}

/**
 * Serves a toolset over Streamable HTTP, for clients of revisions from 2024 to 2026: pass it the requests of one path.
 * Hosts and origins are always checked. Calls are decided by the toolset's own guard, or by `policy`.
 *
 * @throws `invalid_option` if `auth.resource` is not a URL, or the card cannot be published.
 *
 * @example
 * ```ts
 * import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
 * import { mcpHandler } from '@utensil/interop-mcp/server';
 *
 * const toolset = resolveToolset(createRegistry(), emptySettings, {});
 * const { fetch } = mcpHandler(toolset, { name: 'notes', version: '1.0.0', allowedHosts: ['notes.example.com'] });
 * await fetch(new Request('https://notes.example.com/mcp', { method: 'POST', body: '{}' }));
 * ```
 */
export function mcpHandler(served: ServedTools, options: McpHandlerOptions): McpHandler {
  const { auth, maxBodyBytes, onError } = options;
  const gate = createGate(options);
  const bearer = auth && createBearer(auth, onError);
  const card = options.card && createCard(options.card, options);
  let starting: ReturnType<typeof start> | undefined;

  async function start() {
    const sdk = await loadSdk();
    const instances = createInstances(sdk, served, options);
    const handler = sdk.createMcpHandler(
      (context) => instances.create(context, { pushes: context.era === 'modern' }), // others have no stream for it
      {
        ...(maxBodyBytes !== undefined && { maxRequestBodySize: maxBodyBytes }),
        ...(onError && { onerror: onError }),
      },
    );
    const unsubscribe = options.subscribe?.(() => handler.notify.toolsChanged());
    return { handler, unsubscribe };
  }

  async function answer(request: Request, known: McpCaller | undefined): Promise<Response> {
    const described = bearer?.metadata(request) ?? card?.(request);
    if (described !== undefined) return described;
    const caller = known ?? (await bearer?.check(request)) ?? {};
    if (caller instanceof Response) return caller;
    const { handler } = await (starting ??= start());
    return handler.fetch(request, { authInfo: authOf(caller) });
  }

  return {
    async fetch(request, { caller } = {}) {
      const early = gate.answer(request);
      return gate.finish(request, early ?? (await answer(request, caller)));
    },
    async close() {
      const started = await starting;
      started?.unsubscribe?.();
      await started?.handler.close();
    },
  };
}
