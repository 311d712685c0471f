import type { Files } from './files/files.ts';

/** Something that an app offers its tools, by name. */
export interface Capability<Value = unknown> {
  readonly name: string;
  /** Carries the type; never set. */
  readonly '~value'?: Value;
}

/** What the app offers, by the name of the capability. */
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
export function capability<Value>(name: string): Capability<Value> {
  return { name };
}

/** Secrets of the user, such as API keys. They are in no settings, thread or log. */
export interface Secrets {
  /** The secret, or undefined where the user has set none. `key` is `{tool}.{option}`. */
  get(key: string): Promise<string | undefined>;
}

/** The files of the project. */
export const files: Capability<Files> = /* @__PURE__ */ capability<Files>('files');

/** The user's secrets; options of kind `secret` are read from it. */
export const secrets: Capability<Secrets> = /* @__PURE__ */ capability<Secrets>('secrets');
