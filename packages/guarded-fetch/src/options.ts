import { UtensilError } from '@utensil/core';

/** What {@link guardedFetch} can be told, in Node.js and in a browser. A host is `example.com`, `*.example.com` or `example.com:8080`. */
export interface GuardOptions {
  /** The only hosts that may be reached; default: all of the public internet. */
  readonly allowHosts?: readonly string[];
  /** Hosts that may not be reached, whatever else is allowed. */
  readonly denyHosts?: readonly string[];
  /** Hosts that may be reached though they are private: of an intranet, or of this machine. */
  readonly allowPrivate?: readonly string[];
  /** The only ports that may be reached; default: all but those that are for something other than the web. */
  readonly ports?: readonly number[];
  /** How many bytes a body may have once it is decompressed; default 10 MiB. */
  readonly maxBytes?: number;
  /** How many redirects are followed; default 5. */
  readonly maxRedirects?: number;
  /** How long each server may take to begin its answer; default 10 s. */
  readonly headersTimeoutMs?: number;
  /** How long all may take, redirects and the body included; default 30 s. */
  readonly timeoutMs?: number;
}

/** The limits of {@link GuardOptions}, with their defaults. */
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

/** A timer of the platform takes no more. */
const longest = 2 ** 31 - 1;

/**
 * The limits that options ask for.
 *
 * @throws `invalid_limit`
 */
export function limitsOf(options: Partial<FetchLimits>): FetchLimits {
  const { maxBytes, maxRedirects, headersTimeoutMs, timeoutMs } = { ...defaults, ...withoutUndefined(options) };
  const limits = { maxBytes, maxRedirects, headersTimeoutMs, timeoutMs };
  for (const [name, value] of Object.entries(limits)) {
    const most = name.endsWith('Ms') ? longest : Number.MAX_SAFE_INTEGER;
    if (!Number.isInteger(value) || value < 0 || value > most)
      throw new UtensilError('invalid_limit', `${name} is ${value}: use a whole number from 0 to ${most}.`);
  }
  return limits;
}

function withoutUndefined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
