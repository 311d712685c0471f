import type { JsonObject } from '../base/json.ts';
import type { Effect } from '../model/effect.ts';

/**
 * A condition on the input of a call. It has one of `path`, `host`, `command` and `text`; each may be a list of
 * patterns.
 */
export interface RuleCondition {
  /**
   * Input fields, such as `path` or `edits.path`. An `allow` requires all present fields to match, other rules any of
   * them.
   */
  readonly field: string | readonly string[];
  /**
   * Globs for project paths: `src/**`. A pattern without a slash matches names at any depth: `.env*`. A `deny` or an
   * `ask` also covers everything below a matching path, and other spellings of it.
   */
  readonly path?: string | readonly string[];
  /** Hosts of http(s) URLs: `example.com`, `*.example.com` for its subdomains, `example.com:8080`, `*`. */
  readonly host?: string | readonly string[];
  /**
   * Patterns for POSIX shell command lines, with `*` as a wildcard: `git push*`. An `allow` requires every command of
   * the line to match, and nothing that only the shell can resolve; a `deny` or an `ask` requires one to match.
   */
  readonly command?: string | readonly string[];
  /** Patterns for any other text, number or boolean, with `*` as a wildcard. */
  readonly text?: string | readonly string[];
}

/** A rule about calls, as storable data. Absent members match anything. */
export interface Rule {
  readonly decision: 'deny' | 'ask' | 'allow';
  /** Shown when a decision is explained. Default: generated from the rule. */
  readonly name?: string;
  /** Names of tools, with `*` as a wildcard: `git_*`. */
  readonly tool?: string | readonly string[];
  readonly category?: string | readonly string[];
  readonly effects?: Effect | readonly Effect[];
  readonly openWorld?: boolean;
  /** All conditions must hold. */
  readonly when?: readonly RuleCondition[];
  /** Projects and users it applies to. Default: all. */
  readonly scope?: { readonly projectId?: string | readonly string[]; readonly principal?: string | readonly string[] };
  /** Expiry, in milliseconds since 1970. */
  readonly expires?: number;
  /** Message for the model, if this is a `deny`. */
  readonly reason?: string;
}

/** Sources of rules: the operators of the app, the user, the project. */
export const ruleLayers = ['admin', 'user', 'project'] as const;

/** One of {@link ruleLayers}. */
export type RuleLayer = (typeof ruleLayers)[number];

/** Rules by layer. A plain list is the user's. */
export type Rules = readonly Rule[] | { readonly [Layer in RuleLayer]?: readonly Rule[] };

/** The facts about a call that rules see. */
export interface RuleSubject {
  readonly name: string;
  readonly formerNames?: readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly effects: Effect;
  readonly openWorld: boolean;
  readonly input: JsonObject;
  readonly projectId?: string | undefined;
  /** Id of the user on whose behalf the call is made. */
  readonly principal?: string | undefined;
}

/** The rule that decides over a call, with the reason. */
export interface Explanation {
  readonly decision: Rule['decision'];
  readonly layer: RuleLayer;
  readonly rule: Rule;
  /** True if it is unknown whether the rule applies to this call. */
  readonly isUncertain: boolean;
  /** True to ask each time, whatever was granted before: the rule is the admin's, about this input, or uncertain. */
  readonly eachTime: boolean;
  /** One sentence for people. */
  readonly text: string;
}
