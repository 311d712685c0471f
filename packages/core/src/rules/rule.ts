import type { JsonObject } from '../base/json.ts';
import type { Effect } from '../model/effect.ts';

/** A requirement on the input of a call. It names one of `path`, `host`, `command` and `text`; each may be a list of patterns. */
export interface RuleCondition {
  /** Input fields, such as `path` or `edits.path`. An `allow` needs all that are present to fit, the others any of them. */
  readonly field: string | readonly string[];
  /**
   * Globs for a path in the project: `src/**`. Without a slash, a name at any depth: `.env*`. A `deny` or an `ask` also covers
   * what is below a path that fits, and other spellings of it.
   */
  readonly path?: string | readonly string[];
  /** Hosts for an http(s) URL: `example.com`, `*.example.com` for what is below it, `example.com:8080`, `*`. */
  readonly host?: string | readonly string[];
  /**
   * Patterns for a command line of a POSIX shell, with `*` for anything: `git push*`. An `allow` needs each command of the line to
   * fit, and nothing in it that only the shell knows; a `deny` or an `ask` needs one to fit.
   */
  readonly command?: string | readonly string[];
  /** Patterns for any other text, number or boolean, with `*` for anything. */
  readonly text?: string | readonly string[];
}

/** A rule about calls, as data that can be stored. What it does not mention may be anything. */
export interface Rule {
  readonly decision: 'deny' | 'ask' | 'allow';
  /** For people, where a decision is explained. Default: made of the rule. */
  readonly name?: string;
  /** Names of tools, with `*` for anything: `git_*`. */
  readonly tool?: string | readonly string[];
  readonly category?: string | readonly string[];
  readonly effects?: Effect | readonly Effect[];
  readonly openWorld?: boolean;
  /** All of them have to hold. */
  readonly when?: readonly RuleCondition[];
  /** The projects and users that it is for. Default: all. */
  readonly scope?: { readonly projectId?: string | readonly string[]; readonly principal?: string | readonly string[] };
  /** Milliseconds since 1970; from then on it does not count. */
  readonly expires?: number;
  /** Of a `deny`: what the model is told. */
  readonly reason?: string;
}

/** Where rules come from: those who run the app, the user, the project. */
export const ruleLayers = ['admin', 'user', 'project'] as const;

/** One of {@link ruleLayers}. */
export type RuleLayer = (typeof ruleLayers)[number];

/** Rules by where they come from. A list alone is the user's. */
export type Rules = readonly Rule[] | { readonly [Layer in RuleLayer]?: readonly Rule[] };

/** What rules look at in a call. */
export interface RuleSubject {
  readonly name: string;
  readonly formerNames?: readonly string[] | undefined;
  readonly category?: string | undefined;
  readonly effects: Effect;
  readonly openWorld: boolean;
  readonly input: JsonObject;
  readonly projectId?: string | undefined;
  /** Id of the user for whom the call is made. */
  readonly principal?: string | undefined;
}

/** The rule that decides over a call, and why. */
export interface Explanation {
  readonly decision: Rule['decision'];
  readonly layer: RuleLayer;
  readonly rule: Rule;
  /** It cannot be evaluated for this call: nobody knows whether it applies. */
  readonly isUncertain: boolean;
  /** Asked each time, whatever was granted before: it is the admin's, about this input, or uncertain. */
  readonly eachTime: boolean;
  /** One sentence for people. */
  readonly text: string;
}
