import { isUtensilError, UtensilError } from '@utensil/core';
import { guardBody } from './body.ts';
import { signalOf, toFetchRequest } from './hop.ts';
import type { Hop, FetchRequest } from './hop.ts';
import { limitsOf } from './options.ts';
import type { GuardOptions } from './options.ts';
import { createDeadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { failed } from './refusal.ts';
import { toResponse } from './response.ts';
import { createRules, parseUrl } from './rules.ts';
import type { Rules } from './rules.ts';

/** Options of {@link guardedFetch} in a browser. */
export interface BrowserGuardOptions extends GuardOptions {
  /**
   * Returns the address of a proxy on your own server that fetches `url` and returns the response; for sites that other
   * pages may not read (CORS).
   */
  readonly proxy?: (url: URL) => URL;
  /** Sends requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Route of a request. */
interface Route {
  readonly rules: Rules;
  readonly maxRedirects: number;
  readonly proxy: BrowserGuardOptions['proxy'];
  readonly send: typeof globalThis.fetch;
}

/**
 * Creates a guarded `fetch` for browser pages and workers. A browser reveals neither the IP addresses of a name nor the
 * steps of a redirect, so only the requested URL and the final one are checked. On a server use
 * `@utensil/guarded-fetch/node`, which checks all of them.
 *
 * @example
 * ```ts no-run
 * import { guardedFetch } from '@utensil/guarded-fetch';
 *
 * const proxy = (url: URL) => new URL(`/fetch?url=${encodeURIComponent(url.href)}`, location.href);
 * const page = await guardedFetch({ proxy })('https://example.com/');
 * console.log(await page.text());
 * ```
 * @throws `invalid_option` on a server, where it could not keep its promise
 */
export function guardedFetch(options: BrowserGuardOptions = {}): typeof globalThis.fetch {
  const { proxy, fetch: given } = options;
  if (proxy === undefined && given === undefined && isServer())
    throw new UtensilError(
      'invalid_option',
      'This guardedFetch is for browsers: import the one of @utensil/guarded-fetch/node, which checks addresses.',
    );
  const limits = limitsOf(options);
  const send: typeof globalThis.fetch = given ?? ((input, init) => globalThis.fetch(input, init));
  const route: Route = { rules: createRules(options), maxRedirects: limits.maxRedirects, proxy, send };

  return async function guardedFetch(input, init) {
    const url = parseUrl(input instanceof Request ? input.url : String(input));
    route.rules.check(url);
    const deadline = createDeadline(limits, signalOf(input, init));
    try {
      const request = await deadline.race(toFetchRequest(url, input, init));
      return answer(await ask(request, route, deadline), { request, route, maxBytes: limits.maxBytes, deadline });
    } catch (error) {
      deadline.end();
      if (deadline.signal.aborted) throw deadline.signal.reason;
      throw isUtensilError(error) ? error : failed(url, 'could not be requested.', error);
    }
  };
}

async function ask({ hop, redirect }: FetchRequest, route: Route, deadline: Deadline): Promise<Response> {
  const { proxy, send, maxRedirects } = route;
  const { url } = hop;
  const { signal } = deadline;
  const answered = deadline.awaitHeaders(url);
  try {
    if (proxy !== undefined) return await deadline.race(send(proxy(url).href, { ...sentOf(hop), signal }));
    const mode = redirect === 'follow' && maxRedirects === 0 ? 'error' : redirect;
    // Requests to sites that a model chose carry neither the user's cookies nor the page URL.
    const anonymous = { credentials: 'omit', referrerPolicy: 'no-referrer', redirect: mode } as const;
    return await deadline.race(send(url.href, { ...sentOf(hop), ...anonymous, signal }));
  } catch (error) {
    throw unread(url, proxy !== undefined, error);
  } finally {
    answered();
  }
}

function sentOf({ method, headers, body }: Hop): RequestInit {
  return { method, headers, ...(body === undefined ? {} : { body }) };
}

/** A browser does not reveal which of these reasons applies. */
function unread(url: URL, isProxied: boolean, cause: unknown): UtensilError {
  const why = isProxied
    ? 'could not be read: the proxy of this app does not respond.'
    : 'could not be read: it is unreachable, redirects to a blocked address, or does not allow other sites to read it (CORS). ' +
      'To read other sites, the app needs to pass a proxy to guardedFetch.';
  return failed(url, why, cause);
}

interface AnswerContext {
  readonly request: FetchRequest;
  readonly route: Route;
  readonly maxBytes: number;
  readonly deadline: Deadline;
}

function answer(response: Response, { request, route, maxBytes, deadline }: AnswerContext): Response {
  const source =
    route.proxy === undefined && response.url !== ''
      ? { url: new URL(response.url), redirected: response.redirected }
      : { url: request.hop.url, redirected: false };
  try {
    route.rules.check(source.url);
  } catch (error) {
    void response.body?.cancel().catch(() => {});
    throw error;
  }
  const { status, statusText, headers } = response;
  if (response.body === null) deadline.end();
  if (status === 0) return response; // a redirect that the caller asked not to follow is opaque in a browser
  const body = response.body && guardBody(response.body, { url: source.url, maxBytes, deadline });
  return toResponse({ ...source, status, statusText, headers, body });
}

/** True in Node.js and compatible runtimes. */
function isServer(): boolean {
  return typeof document === 'undefined' && globalThis.process?.versions?.node !== undefined;
}
