import { isUtensilError, UtensilError } from '@utensil/core';
import { guardBody } from './body.ts';
import { signalOf, toWish } from './hop.ts';
import type { Hop, Wish } from './hop.ts';
import { limitsOf } from './options.ts';
import type { GuardOptions } from './options.ts';
import { createPatience } from './patience.ts';
import type { Patience } from './patience.ts';
import { failed } from './refusal.ts';
import { toResponse } from './response.ts';
import { createRules, parseUrl } from './rules.ts';
import type { Rules } from './rules.ts';

/** What {@link guardedFetch} can be told in a browser. */
export interface BrowserGuardOptions extends GuardOptions {
  /** An address of your own server that fetches `url` and answers with what it got; for sites that no other page may read. */
  readonly proxy?: (url: URL) => URL;
  /** What sends requests; default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The way on which requests go. */
interface Way {
  readonly rules: Rules;
  readonly maxRedirects: number;
  readonly proxy: BrowserGuardOptions['proxy'];
  readonly send: typeof globalThis.fetch;
}

/**
 * A `fetch` for pages and workers of a browser. A browser lets nobody see the addresses of a name, or the stations of a
 * redirect: it checks the address that is asked for and the one that answered. On a server use
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
  const way: Way = { rules: createRules(options), maxRedirects: limits.maxRedirects, proxy, send };

  return async function guardedFetch(input, init) {
    const url = parseUrl(input instanceof Request ? input.url : String(input));
    way.rules.check(url);
    const patience = createPatience(limits, signalOf(input, init));
    try {
      const wish = await patience.race(toWish(url, input, init));
      return answer(await ask(wish, way, patience), { wish, way, maxBytes: limits.maxBytes, patience });
    } catch (error) {
      patience.end();
      if (patience.signal.aborted) throw patience.signal.reason;
      throw isUtensilError(error) ? error : failed(url, 'could not be asked.', error);
    }
  };
}

async function ask({ hop, redirect }: Wish, way: Way, patience: Patience): Promise<Response> {
  const { proxy, send, maxRedirects } = way;
  const { url } = hop;
  const { signal } = patience;
  const answered = patience.awaitHeaders(url);
  try {
    if (proxy !== undefined) return await patience.race(send(proxy(url).href, { ...sentOf(hop), signal }));
    const mode = redirect === 'follow' && maxRedirects === 0 ? 'error' : redirect;
    // Neither the user's cookies nor the page that they are on are anything to a site that a model chose.
    const stranger = { credentials: 'omit', referrerPolicy: 'no-referrer', redirect: mode } as const;
    return await patience.race(send(url.href, { ...sentOf(hop), ...stranger, signal }));
  } catch (error) {
    throw unread(url, proxy !== undefined, error);
  } finally {
    answered();
  }
}

function sentOf({ method, headers, body }: Hop): RequestInit {
  return { method, headers, ...(body === undefined ? {} : { body }) };
}

/** A browser does not say which of these it was. */
function unread(url: URL, isProxied: boolean, cause: unknown): UtensilError {
  const why = isProxied
    ? 'could not be read: the proxy of this app gives no answer.'
    : 'could not be read: it is unreachable, redirects to where it may not, or lets no other site read it (CORS). ' +
      'For such sites the app has to give guardedFetch a proxy.';
  return failed(url, why, cause);
}

interface AnswerContext {
  readonly wish: Wish;
  readonly way: Way;
  readonly maxBytes: number;
  readonly patience: Patience;
}

function answer(response: Response, { wish, way, maxBytes, patience }: AnswerContext): Response {
  const source =
    way.proxy === undefined && response.url !== ''
      ? { url: new URL(response.url), redirected: response.redirected }
      : { url: wish.hop.url, redirected: false };
  try {
    way.rules.check(source.url);
  } catch (error) {
    void response.body?.cancel().catch(() => {});
    throw error;
  }
  const { status, statusText, headers } = response;
  if (response.body === null) patience.end();
  if (status === 0) return response; // a redirect that the caller asked not to follow: a browser shows nothing of it
  const body = response.body && guardBody(response.body, { url: source.url, maxBytes, patience });
  return toResponse({ ...source, status, statusText, headers, body });
}

/** Node.js and what is compatible with it. */
function isServer(): boolean {
  return typeof document === 'undefined' && globalThis.process?.versions?.node !== undefined;
}
