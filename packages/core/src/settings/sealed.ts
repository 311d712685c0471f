// What settings keep of the user's word on calls. Only the app can store it: it has a seal.

import type { Rule } from '../rules/rule.ts';

/** A lasting permission for a tool. */
export interface SealedGrant {
  /** The tool as it was then. */
  readonly toolFingerprint: string;
  /** Milliseconds since 1970; from then on it does not count. */
  readonly expires: number;
  /** Proves that the app stored it: see `hmacSeals`. */
  readonly seal: string;
  /** The project, or the thread, that it is for. Absent: an earlier version stored it, and only its seal tells. */
  readonly scope?: string;
  /** Id of the user who gave it. Absent: the app names none, or an earlier version stored it. */
  readonly principal?: string;
}

/** A rule of the user's, as settings keep it. */
export interface StoredRule {
  /** Unique in its list, and the same while the rule is edited. */
  readonly id: string;
  readonly rule: Rule;
  /** Of an `allow`: proves that the app stored it, as that of a grant does. */
  readonly seal?: string;
}
