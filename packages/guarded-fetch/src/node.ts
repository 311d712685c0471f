import type { IncomingMessage } from 'node:http';
import { isUtensilError } from '@utensil/core';
import { guardBody } from './body.ts';
import { nextHop, redirectOf, signalOf, toFetchRequest } from './hop.ts';
import type { Hop, FetchRequest } from './hop.ts';
import { acceptedEncodings, decoded } from './node/decode.ts';
import { addressesOf, systemResolve } from './node/resolve.ts';
import type { Resolve } from './node/resolve.ts';
import { send } from './node/send.ts';
import { limitsOf } from './options.ts';
import type { FetchLimits, GuardOptions } from './options.ts';
import { createDeadline } from './deadline.ts';
import type { Deadline } from './deadline.ts';
import { failed } from './refusal.ts';
import { toResponse } from './response.ts';
import type { Source } from './response.ts';
import { createRules, parseUrl } from './rules.ts';
import type { Rules } from './rules.ts';

export type { GuardOptions } from './options.ts';
export type { Resolve } from './node/resolve.ts';

/** Options of {@link guardedFetch} in Node.js. */
export interface NodeGuardOptions extends GuardOptions {
  /** Resolves host names. Default: the system resolver. Only addresses that pass the checks are connected to. */
  readonly resolve?: Resolve;
  /** User agent for requests without one. Default: `Utensil`. */
  readonly userAgent?: string;
}

/** State shared by all calls of one guarded fetch. */
interface Guard {
  readonly rules: Rules;
  readonly limits: FetchLimits;
  readonly resolve: Resolve;
  readonly userAgent: string;
}

/**
 * Creates a `fetch` that reaches only the public internet: on every hop, the resolved addresses are checked and the
 * connection is pinned to them.
 *
 * @example
 * ```ts
 * import { guardedFetch } from '@utensil/guarded-fetch/node';
 *
 * const fetch = guardedFetch({ maxBytes: 700_000, timeoutMs: 10_000 });
 * await fetch('http://169.254.169.254/latest/meta-data/').catch((error: Error) => console.log(error.message));
 * // Not fetched: 169.254.169.254 is not on the public internet. Only the app can allow it.
 * ```
 */
export function guardedFetch(options: NodeGuardOptions = {}): typeof globalThis.fetch {
  const { resolve = systemResolve, userAgent = 'Utensil' } = options;
  const guard: Guard = { rules: createRules(options), limits: limitsOf(options), resolve, userAgent };

  return async function guardedFetch(input, init) {
    const url = parseUrl(input instanceof Request ? input.url : String(input));
    guard.rules.check(url);
    const deadline = createDeadline(guard.limits, signalOf(input, init));
    try {
      return await follow(await deadline.race(toFetchRequest(url, input, init)), guard, deadline);
    } catch (error) {
      deadline.end();
      if (deadline.signal.aborted) throw deadline.signal.reason;
      throw isUtensilError(error) ? error : failed(url, 'could not be requested.', error);
    }
  };
}

async function follow({ hop, redirect }: FetchRequest, guard: Guard, deadline: Deadline): Promise<Response> {
  let current = withDefaults(hop, guard.userAgent);
  for (let redirects = 0; ; redirects++) {
    const message = await ask(current, guard, deadline);
    const next = redirectOf(current, message.statusCode ?? 0, locationOf(message));
    if (next === undefined || redirect === 'manual')
      return answer(message, { url: current.url, redirected: redirects > 0 }, { guard, deadline, hop: current });
    message.destroy();
    if (redirect === 'error') throw failed(current.url, 'redirects, but the request forbids redirects.');
    if (redirects === guard.limits.maxRedirects)
      throw failed(current.url, `redirects again after ${redirects} redirects, which is the limit.`);
    current = nextHop(current, message.statusCode ?? 0, next);
  }
}

async function ask(hop: Hop, { rules, resolve }: Guard, deadline: Deadline): Promise<IncomingMessage> {
  rules.check(hop.url);
  const answered = deadline.awaitHeaders(hop.url);
  try {
    const addresses = await deadline.race(addressesOf(hop.url, resolve));
    rules.checkAddresses(hop.url, addresses);
    return await deadline.race(send(hop, { addresses, signal: deadline.signal }));
  } finally {
    answered();
  }
}

function withDefaults(hop: Hop, userAgent: string): Hop {
  const encoding = hop.headers.has('range') ? 'identity' : acceptedEncodings; // a partial compressed body cannot be decoded
  const headers = new Headers({ accept: '*/*', 'accept-encoding': encoding, 'user-agent': userAgent });
  for (const [name, value] of hop.headers) headers.set(name, value);
  return { ...hop, headers };
}

/** Servers send the header as UTF-8, although Node.js decodes it as Latin-1. */
function locationOf({ headers }: IncomingMessage): string | undefined {
  return headers.location === undefined ? undefined : Buffer.from(headers.location, 'latin1').toString();
}

interface AnswerContext {
  readonly guard: Guard;
  readonly deadline: Deadline;
  readonly hop: Hop;
}

const withoutBody: readonly number[] = [204, 205, 304];

function answer(message: IncomingMessage, source: Source, { guard, deadline, hop }: AnswerContext): Response {
  const { statusCode: status = 0, statusMessage = '', headers } = message;
  const { url } = source;
  const { maxBytes } = guard.limits;
  try {
    const hasBody = hop.method !== 'HEAD' && !withoutBody.includes(status);
    const body = hasBody
      ? guardBody(decoded(message, headers['content-encoding'] ?? ''), { url, maxBytes, deadline })
      : null;
    if (!hasBody) {
      message.destroy();
      deadline.end();
    }
    return toResponse({ ...source, status, statusText: statusMessage, headers: headersOf(message), body });
  } catch (error) {
    message.destroy();
    throw failed(url, 'sent an invalid response.', error);
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}
