import type { JsonObject } from '../../base/json.ts';
import type { Effect } from '../../model/effect.ts';
import type { Principal } from '../../tool/capability.ts';
import type { Denier } from '../../model/message.ts';
import { denial } from '../../tool/result.ts';
import type { ToolResult } from '../../tool/result.ts';

/** A call that needs a decision. */
export interface PolicyRequest {
  readonly callId: string;
  /** Current name of the tool, even if the model used a former one. */
  readonly name: string;
  /** Former names of the tool. */
  readonly formerNames?: readonly string[];
  /** The tool's category in settings. */
  readonly category?: string;
  readonly projectId: string;
  /** The user on whose behalf it is made. */
  readonly principal?: Principal;
  readonly input: JsonObject;
  readonly title: string;
  readonly effects: Effect;
  readonly openWorld: boolean;
  readonly idempotent: boolean;
  readonly toolFingerprint: string;
  /** True if the definition of the tool is foreign, such as a server's, which may change it. */
  readonly foreign?: boolean;
  /** True if the model has read content from the outside world, which anybody may have written. */
  readonly tainted: boolean;
}

/** Decision: run the call, ask the user, or deny it with a reason for the model. */
export type Decision = 'allow' | 'ask' | 'deny' | { readonly deny: string } | AskWhy;

/** Asks the user, with a reason. */
export interface AskWhy {
  /** A sentence for people, shown with the question. */
  readonly ask: string;
  /** True to ask every time, even if a grant exists. */
  readonly eachTime?: boolean;
}

/**
 * Decides about each call before it runs. A policy that throws denies. See {@link permissions} for four predefined
 * ones.
 *
 * @example
 * ```ts
 * import type { Policy } from '@utensil/core';
 *
 * const policy: Policy = ({ effects, openWorld }) => (effects === 'read' && !openWorld ? 'allow' : 'ask');
 * ```
 */
export type Policy = (request: PolicyRequest) => Decision | Promise<Decision>;

/** Calls that a tier asks about: none, calls that reach the outside world, these and all changes, or all calls. */
export type PermissionTier = 'bypass' | 'outward' | 'write' | 'all';

/**
 * Condition under which a tier asks. `outward` also asks about irreversible calls once untrusted text may have led to
 * them.
 */
const asks: Readonly<Record<PermissionTier, (request: PolicyRequest) => boolean>> = {
  bypass: () => false,
  outward: ({ openWorld, tainted, effects }) => openWorld || (tainted && effects === 'destructive'),
  write: ({ openWorld, effects }) => openWorld || effects !== 'read',
  all: () => true,
};

/**
 * Creates the policy of a tier.
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

/**
 * True if a grant is not enough for this call: the model has read untrusted text, and the call is irreversible or
 * outward.
 */
export function outgrowsGrants({ tainted, effects, openWorld }: PolicyRequest): boolean {
  return tainted && (effects === 'destructive' || (openWorld && effects !== 'read'));
}

/** Result of a denied call. */
export function denied(name: string, by: Denier, reason?: string): ToolResult {
  return denial(by, denialText(name, by, reason));
}

function denialText(name: string, by: Denier, reason?: string): string {
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
