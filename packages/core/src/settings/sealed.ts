// Stored permissions of the user. Sealed, because only the app may store them.

import type { Rule } from '../rules/rule.ts';

/** A lasting permission for a tool. */
export interface SealedGrant {
  /** Fingerprint of the tool at the time. */
  readonly toolFingerprint: string;
  /** Expiry, in milliseconds since 1970. */
  readonly expires: number;
  /** Proves that the app stored it: see `hmacSeals`. */
  readonly seal: string;
  /** The project or thread it applies to. Absent: an earlier version stored it, and only its seal tells. */
  readonly scope?: string;
  /** Id of the user who granted it. Absent: the app has no user ids, or an earlier version stored it. */
  readonly principal?: string;
}

/** The version of a tool of others that a project knows. */
export interface SealedPin {
  readonly toolFingerprint: string;
  /** Milliseconds since 1970 at which it was first seen, or accepted. */
  readonly time: number;
  /** Proves that the app stored it, as that of a grant does. */
  readonly seal: string;
  /** The fingerprint of another version that was seen since, and that nobody has accepted. */
  readonly changed?: string;
}

/** A user's rule, as stored in settings. */
export interface StoredRule {
  /** Unique in its list, and stable over edits. */
  readonly id: string;
  readonly rule: Rule;
  /** Seal of an `allow`: proves that the app stored it, as for a grant. */
  readonly seal?: string;
}
