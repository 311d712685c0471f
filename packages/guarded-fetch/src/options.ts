import { UtensilError } from '@utensil/core';

/**
 * Options of {@link guardedFetch} in Node.js and browsers. A host is `example.com`, `*.example.com` or
 * `example.com:8080`.
 */
export interface GuardOptions {
  /** The only hosts allowed. Default: the whole public internet. */
  readonly allowHosts?: readonly string[];
  /** Blocked hosts; this overrides every other option. */
  readonly denyHosts?: readonly string[];
  /** Private hosts that are allowed: of an intranet, or of this machine. */
  readonly allowPrivate?: readonly string[];
  /** The only ports allowed. Default: all except those of services other than the web. */
  readonly ports?: readonly number[];
  /** Maximum size of a decompressed body, in bytes. Default: 10 MiB. */
  readonly maxBytes?: number;
  /** Maximum number of redirects. Default: 5. */
  readonly maxRedirects?: number;
  /** Time limit for each server to start its response, in milliseconds. Default: 10,000. */
  readonly headersTimeoutMs?: number;
  /** Time limit for the whole request, including redirects and the body, in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
}

/** Limits of {@link GuardOptions}, with defaults applied. */
export interface FetchLimits {
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly headersTimeoutMs: number;
  readonly timeoutMs: number;
}

const defaults: FetchLimits = {
  maxBytes: 10 * 1024 * 1024,
  maxRedirects: 5,
  headersTimeoutMs: 10_000,
  timeoutMs: 30_000,
};

/** Maximum delay of a platform timer. */
const longest = 2 ** 31 - 1;

/**
 * Validates limits and applies defaults.
 *
 * @throws `invalid_limit`
 */
export function limitsOf(options: Partial<FetchLimits>): FetchLimits {
  const { maxBytes, maxRedirects, headersTimeoutMs, timeoutMs } = { ...defaults, ...withoutUndefined(options) };
  const limits = { maxBytes, maxRedirects, headersTimeoutMs, timeoutMs };
  for (const [name, value] of Object.entries(limits)) {
    const most = name.endsWith('Ms') ? longest : Number.MAX_SAFE_INTEGER;
    if (!Number.isInteger(value) || value < 0 || value > most)
      throw new UtensilError('invalid_limit', `${name} is ${value}: use an integer from 0 to ${most}.`);
  }
  return limits;
}

function withoutUndefined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
