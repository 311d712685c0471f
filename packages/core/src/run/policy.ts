import type { JsonObject } from '../base/json.ts';
import type { Effect } from '../model/effect.ts';
import type { Principal } from '../tool/capability.ts';
import type { Denier } from '../model/message.ts';

/** A call that asks for permission. */
export interface PolicyRequest {
  readonly callId: string;
  /** The tool's own name, also if the model called it by a former one. */
  readonly name: string;
  /** Earlier names of the tool. */
  readonly formerNames?: readonly string[];
  /** Of the tool, in settings. */
  readonly category?: string;
  readonly projectId: string;
  /** The user for whom it is made. */
  readonly principal?: Principal;
  readonly input: JsonObject;
  readonly title: string;
  readonly effects: Effect;
  readonly openWorld: boolean;
  readonly idempotent: boolean;
  readonly toolFingerprint: string;
  /** Others wrote the definition of the tool, such as a server that may change it. */
  readonly foreign?: boolean;
  /** The model has read what comes from the world outside, where anybody may have written it. */
  readonly tainted: boolean;
}

/** Run it, ask the user, or refuse it (with a reason for the model). */
export type Decision = 'allow' | 'ask' | 'deny' | { readonly deny: string } | AskWhy;

/** Ask the user, and say why. */
export interface AskWhy {
  /** A sentence for people, shown with the question. */
  readonly ask: string;
  /** True if a grant does not do: the user is asked about each such call. */
  readonly eachTime?: boolean;
}

/**
 * Decides over each call before it runs. A policy that throws denies. See {@link permissions} for four of them.
 *
 * @example
 * ```ts
 * import type { Policy } from '@utensil/core';
 *
 * const policy: Policy = ({ effects, openWorld }) => (effects === 'read' && !openWorld ? 'allow' : 'ask');
 * ```
 */
export type Policy = (request: PolicyRequest) => Decision | Promise<Decision>;

/** What is asked about: nothing, calls that reach the world outside, those and all that change something, or all calls. */
export type PermissionTier = 'bypass' | 'outward' | 'write' | 'all';

/** When a tier asks. Under `outward`, a call that cannot be undone is asked about too once strangers' words may have led to it. */
const asks: Readonly<Record<PermissionTier, (request: PolicyRequest) => boolean>> = {
  bypass: () => false,
  outward: ({ openWorld, tainted, effects }) => openWorld || (tainted && effects === 'destructive'),
  write: ({ openWorld, effects }) => openWorld || effects !== 'read',
  all: () => true,
};

/**
 * The policy of a tier.
 *
 * @example
 * ```ts
 * import { permissions } from '@utensil/core';
 *
 * permissions('write'); // asks before a call changes anything, or leaves the machine
 * ```
 */
export function permissions(tier: PermissionTier): Policy {
  return (request) => (asks[tier](request) ? 'ask' : 'allow');
}

/** Whether a grant does not do for this call: the model has read strangers' words, and this cannot be undone or tells others. */
export function outgrowsGrants({ tainted, effects, openWorld }: PolicyRequest): boolean {
  return tainted && (effects === 'destructive' || (openWorld && effects !== 'read'));
}

/** What the model is told of a denied call. */
export function denialText(name: string, by: Denier, reason?: string): string {
  switch (by) {
    case 'user':
      return `The user denied permission to run tool '${name}'. Do not simply retry; ask the user how to proceed or try a different approach.`;
    case 'nobody':
      return `Permission is required to run tool '${name}', but this frontend cannot ask the user. The call was denied by policy.`;
    case 'policy':
      return `The call of tool '${name}' was denied by policy${reason === undefined ? '.' : `: ${asSentence(reason)}`} Do not retry it.`;
  }
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
