import type { JsonObject } from '../json.ts';
import type { Effect } from '../tool.ts';

/** A call that asks for permission. */
export interface PolicyRequest {
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly title: string;
  readonly effects: Effect;
  readonly openWorld: boolean;
  readonly idempotent: boolean;
  readonly toolFingerprint: string;
}

/** Run it, ask the user, or refuse it (with a reason for the model). */
export type Decision = 'allow' | 'ask' | 'deny' | { readonly deny: string };

/**
 * Decides over each call before it runs. A policy that throws denies.
 *
 * @example
 * ```ts
 * import type { Policy } from '@utensil/core';
 *
 * const policy: Policy = ({ effects, openWorld }) => (effects === 'read' && !openWorld ? 'allow' : 'ask');
 * ```
 */
export type Policy = (request: PolicyRequest) => Decision | Promise<Decision>;

/** Runs everything. The default. */
export const allowAll: Policy = () => 'allow';

/** Asks the user before every call that changes something. */
export const askBeforeWrites: Policy = ({ effects }) => (effects === 'read' ? 'allow' : 'ask');

/** What the model is told of a denied call. */
export function denialText(name: string, by: 'user' | 'nobody' | 'policy', reason?: string): string {
  switch (by) {
    case 'user':
      return `The user denied permission to run tool '${name}'. Do not simply retry; ask the user how to proceed or try a different approach.`;
    case 'nobody':
      return `Permission is required to run tool '${name}', but this frontend cannot ask the user. The call was denied by policy.`;
    case 'policy':
      return `The call of tool '${name}' was denied by policy${reason === undefined ? '' : `: ${reason}`}. Do not retry it.`;
  }
}
