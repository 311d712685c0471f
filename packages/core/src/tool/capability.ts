import type { FilesObserver } from '../files/taint/observer.ts';
import type { Model } from '../model/model.ts';
import type { Json } from '../base/json.ts';
import type { Method } from '../base/method.ts';

/** Something that an app offers its tools, by name. */
export interface Capability<Value = unknown> {
  readonly name: string;
  /** The same, as a run sees it: what is read and written by it is told to the observer. Default: the value itself. */
  readonly seenBy?: Method<[value: Value, observer: FilesObserver], Value>;
  /** Carries the type; never set. */
  readonly '~value'?: Value;
}

/** The implementations that the app offers, by the name of the capability. */
export interface Host {
  readonly [capability: string]: unknown;
}

/** The capabilities that a tool needs, by the name under which it wants them in `context.host`. */
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

/** The user for whom calls are made, as the host has authenticated them. */
export interface Principal {
  readonly id: string;
  /** Whatever else tools and policies need to know of them, such as roles. */
  readonly [claim: string]: Json;
}

/** Secrets of the user, such as API keys. They are in no settings, thread or log. */
export interface Secrets {
  /**
   * The secret, or undefined where the user has set none. `key` is `{tool}.{option}`. A host with several users gives that of the
   * principal, and nobody's if there is none.
   */
  get(key: string, options?: { readonly principal?: Principal }): Promise<string | undefined>;
}

/** A tool's request to a server. Any `RequestInit` of the platform can have more. */
export interface FetchRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly redirect?: 'follow' | 'error' | 'manual';
  readonly signal?: AbortSignal;
}

/** A server's response: as much of the platform's `Response` as portable tools need. */
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

/** The bytes of an answer, as they come. */
export interface FetchBody {
  getReader(): {
    read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
    cancel(reason?: unknown): Promise<void>;
  };
  cancel(reason?: unknown): Promise<void>;
}

/** A function like the platform's `fetch`. */
export type Fetch = (url: string | URL, request?: FetchRequest) => Promise<FetchResponse>;

/** A model that can be chosen. */
export interface ModelChoice {
  readonly id: string;
  /** For people; default: the id. */
  readonly label?: string;
  /** A description of its strengths, which models read. */
  readonly description?: string;
}

/** The models that an app offers its tools and the settings of them, by ids of the app's own. */
export interface Models {
  get(id: string): Model | undefined;
  list(): readonly ModelChoice[];
}
