import type { FilesObserver } from '../files/taint/observer.ts';
import type { Model } from '../model/model.ts';
import type { Json } from '../base/json.ts';
import type { Method } from '../base/method.ts';

/** A named feature that an app offers to its tools. */
export interface Capability<Value = unknown> {
  readonly name: string;
  /** The value as an observer's run sees it: its reads and writes are tracked. Default: the value itself. */
  readonly seenBy?: Method<[value: Value, observer: FilesObserver], Value>;
  /** Carries the type; never set. */
  readonly '~value'?: Value;
}

/** The app's implementations, by name of the capability. */
export interface Host {
  readonly [capability: string]: unknown;
}

/** The capabilities that a tool needs, by their name in `context.host`. */
export interface Requirements {
  readonly [alias: string]: Capability;
}

/** The values of {@link Requirements}. */
export type HostOf<Needs extends Requirements> = {
  readonly [Alias in keyof Needs]: Needs[Alias] extends Capability<infer Value> ? Value : never;
};

/**
 * Defines a capability of the host.
 *
 * @example
 * ```ts
 * import { capability } from '@utensil/core';
 *
 * interface Mailer {
 *   send(to: string, text: string): Promise<void>;
 * }
 * const mailer = capability<Mailer>('mailer');
 * // A tool says requires: { mailer }; the app passes { mailer: myMailer } as its host.
 * ```
 */
export function capability<Value>(name: string, options: Pick<Capability<Value>, 'seenBy'> = {}): Capability<Value> {
  return { name, ...options };
}

/** The user on whose behalf calls are made, as authenticated by the host. */
export interface Principal {
  readonly id: string;
  /** Other facts that tools and policies need, such as roles. */
  readonly [claim: string]: Json;
}

/** The user's secrets, such as API keys. Never part of settings, threads or logs. */
export interface Secrets {
  /**
   * Reads a secret; undefined if it is not set. `key` is `{tool}.{option}`. A host with several users returns the
   * principal's secret, and nothing if there is no principal.
   */
  get(key: string, options?: { readonly principal?: Principal }): Promise<string | undefined>;
}

/** A request by a tool. Every `RequestInit` of the platform is assignable. */
export interface FetchRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly redirect?: 'follow' | 'error' | 'manual';
  readonly signal?: AbortSignal;
}

/** A response: the members of the platform's `Response` that portable tools need. */
export interface FetchResponse {
  /** The final URL, after redirects. */
  readonly url: string;
  readonly redirected: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  readonly body: FetchBody | null;
  arrayBuffer(): Promise<ArrayBuffer>;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

/** The body as a stream of bytes. */
export interface FetchBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
  cancel(reason?: unknown): Promise<void>;
}

/** A function like the platform's `fetch`. */
export type Fetch = (url: string | URL, request?: FetchRequest) => Promise<FetchResponse>;

/** A selectable model. */
export interface ModelChoice {
  readonly id: string;
  /** For display. Default: the id. */
  readonly label?: string;
  /** Its strengths, described for models. */
  readonly description?: string;
}

/** The models that an app offers to tools and their settings, by ids that the app chooses. */
export interface Models {
  get(id: string): Model | undefined;
  list(): readonly ModelChoice[];
}
