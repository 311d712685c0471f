import type { Principal } from '../tool/capability.ts';

/** A tool that the user allows, as it was when they did: one that has changed since is asked about again. */
export interface Grant {
  readonly name: string;
  readonly toolFingerprint: string;
  /** Id of the user who has given it; it is nobody else's. */
  readonly principal?: string;
}

/** The grant that a call of a tool needs. */
export function grantOf(call: {
  readonly name: string;
  readonly toolFingerprint?: string | undefined;
  readonly principal?: Principal | undefined;
}): Grant {
  const { name, toolFingerprint = '', principal } = call;
  return { name, toolFingerprint, ...(principal && { principal: principal.id }) };
}

/** True if the user has allowed a tool; `ignored` is the reason, for people, why a stored permission does not count. */
export type Granted = boolean | { readonly ignored: string };

/** What the user has allowed without being asked again. */
export interface Grants {
  has(grant: Grant): Granted | Promise<Granted>;
  add(grant: Grant): void | Promise<void>;
}

/** Grants for as long as the program runs; for the runs that share them. */
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

/** Why a grant of another version of its tool does not count. */
export const outdated =
  'the tool has changed since it was given: its definition, its effects, or who answers its calls';
