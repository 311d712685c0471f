import type { Principal } from '../../tool/capability.ts';

/** A tool as the user allowed it: after a change to the tool, the user is asked again. */
export interface Grant {
  readonly name: string;
  readonly toolFingerprint: string;
  /** Id of the user who granted it; it applies to no other user. */
  readonly principal?: string;
}

/** The grant that a call of a tool requires. */
export function grantOf(call: {
  readonly name: string;
  readonly toolFingerprint?: string | undefined;
  readonly principal?: Principal | undefined;
}): Grant {
  const { name, toolFingerprint = '', principal } = call;
  return { name, toolFingerprint, ...(principal && { principal: principal.id }) };
}

/** True if the user has allowed a tool; `ignored` is the reason, for people, why a stored grant does not count. */
export type Granted = boolean | { readonly ignored: string };

/** Permissions that apply without asking again. */
export interface Grants {
  has(grant: Grant): Granted | Promise<Granted>;
  add(grant: Grant): void | Promise<void>;
}

/** Creates grants in memory, shared by the runs that use them. */
export function memoryGrants(): Grants {
  const known = new Map<string, string>();
  return {
    has(grant) {
      const print = known.get(keyOf(grant));
      return print === grant.toolFingerprint || (print !== undefined && { ignored: outdated });
    },
    add: (grant) => void known.set(keyOf(grant), grant.toolFingerprint),
  };
}

function keyOf({ name, principal }: Grant): string {
  return JSON.stringify([name, principal]);
}

/** Reason why a grant for another version of the tool does not count. */
export const outdated =
  'the tool has changed since it was given: its definition, its effects, or who answers its calls';
