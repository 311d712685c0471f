import { UtensilError, messageOf } from '../../base/errors.ts';
import { fingerprint } from '../../base/hash.ts';
import { isObject, toJson } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import { risingClock } from '../../base/rising-clock.ts';
import type { Seals } from '../../base/seals.ts';
import { compileRules } from '../../rules/rule-set.ts';
import type { RuleSet } from '../../rules/rule-set.ts';
import { ruleProblem } from '../../rules/rule-problem.ts';
import type { Explanation, Rule, RuleLayer, RuleSubject } from '../../rules/rule.ts';
import type { SettingsStore } from '../../settings/store.ts';
import { loadedLater } from './tool-versions.ts';
import type { SettingsPins } from './tool-versions.ts';
import { ruleIdOf, ruleOf, withoutRule, withRule } from '../../settings/stored-rules.ts';
import type { StoredRule } from '../../settings/sealed.ts';
import type { Settings } from '../../settings/settings.ts';

/** Options of {@link settingsRules}. */
export interface SettingsRulesOptions {
  /** Seals with a key that other programs cannot read: an `allow` without a seal is ignored. */
  readonly seals: Seals;
  /** The project of the rules: an `allow` copied from another project is ignored. */
  readonly scope: string;
  /** Rules of the app's operators. Settings cannot loosen them. Default: none. */
  readonly admin?: readonly Rule[];
  /** Rules of the project: the user's take precedence, except over a `deny`. Default: none. */
  readonly project?: readonly Rule[];
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** A current or expired rule. */
export interface ListedRule {
  /** Id of a rule in the settings; others cannot be changed. */
  readonly id?: string;
  readonly rule: Rule;
  readonly layer: RuleLayer;
  readonly isExpired: boolean;
  /** Reason why it cannot be used, in one sentence for people. It then asks about every call that it may apply to. */
  readonly problem?: string;
}

/** Rules of a project, and functions to edit them. */
export interface SettingsRules {
  /** The versions of the tools of others: what allows a tool counts for the version that is known. */
  readonly pins: SettingsPins;
  /** The admin's rules first, then the user's in their order, then the project's. */
  list(): Promise<readonly ListedRule[]>;
  /**
   * Stores a rule: replaces the one with this id, or appends it. Other rules are kept, including those that another tab
   * stores at the same time. Returns its id.
   *
   * @throws `invalid_input` or `EINVAL` if it cannot be used, and errors of the key and the storage.
   */
  put(rule: Rule, id?: string): Promise<string>;
  /** Removes a user's rule, if it exists. */
  remove(id: string): Promise<void>;
  /** The rule that decides about a call; undefined if none does. */
  explain(call: RuleSubject): Promise<Explanation | undefined>;
  /** Calls the listener after each change of the settings, until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

/** Compiled user rules for one state of the settings. */
interface Compiled {
  readonly set: RuleSet;
  readonly problems: ReadonlyMap<Rule, string>;
  /** Time at which the first valid `allow` expires. */
  readonly firstEnd: number;
  /** False if a seal could not be checked: the next call tries again. */
  readonly isFinal: boolean;
}

type Store = Pick<SettingsStore, 'current' | 'update' | 'subscribe'> & Partial<Pick<SettingsStore, 'reload'>>;

/**
 * The user's rules in the settings of a project, between those of the app's operator and those of the project. They are
 * data: a rule that this version cannot read is kept, and asks. Allowing rules are sealed like grants, so that no other
 * program can write them. Before a call is allowed without a question, the stored rules are read again. Foreign tools
 * are identified by version: see {@link SettingsPins}.
 *
 * @example
 * ```ts
 * import { createRecords, hmacSeals, openSettings, permissions } from '@utensil/core';
 * import { settingsPolicy, settingsRules } from '@utensil/core/guard';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const settings = await openSettings(createRecords(memoryStorage()), 'default');
 * const seals = hmacSeals(crypto.getRandomValues(new Uint8Array(32))); // kept outside the project
 * const rules = settingsRules(settings, {
 *   seals,
 *   scope: 'default',
 *   admin: [{ decision: 'deny', when: [{ field: ['path', 'paths'], path: '.env*' }] }],
 * });
 * await rules.put({ decision: 'ask', tool: 'shell', when: [{ field: 'command', command: 'git push*' }] });
 * const policy = settingsPolicy(rules, { otherwise: permissions('write') }); // for `run` or `guard`
 * console.log((await rules.list()).length); // 2
 * ```
 */
export function settingsRules(
  store: Store,
  { seals, scope, admin = [], project = [], now = Date.now }: SettingsRulesOptions,
): SettingsRules {
  const clock = risingClock(now);
  let known: { readonly of: Settings['rules']; readonly compiled: Promise<Compiled> } | undefined;
  let swept: Compiled | undefined;

  const statement = (rule: Rule): JsonObject => ({ type: 'rule', scope, rule: toJson(rule) });

  async function sealProblem({ rule, seal }: Partial<StoredRule>): Promise<string | undefined> {
    if (!isObject(rule) || rule.decision !== 'allow') return undefined;
    if (typeof seal !== 'string') return unsealed;
    return (await seals.fits(statement(rule), seal)) ? undefined : foreign;
  }

  async function compile(stored: readonly StoredRule[]): Promise<Compiled> {
    let isFinal = true;
    const unchecked = (error: unknown): string => {
      isFinal = false;
      return `Its seal cannot be checked: ${messageOf(error)}`;
    };
    const problems = new Map<Rule, string>();
    let firstEnd = Infinity;
    for (const entry of stored) {
      const rule = ruleOf(entry);
      const problem = ruleProblem(rule) ?? (await sealProblem(entry).catch(unchecked));
      if (problem !== undefined) problems.set(rule, problem);
      else if (rule.decision === 'allow') firstEnd = Math.min(firstEnd, rule.expires ?? Infinity);
    }
    return { set: compileRules({ admin, user: stored.map(ruleOf), project }, problems), problems, firstEnd, isFinal };
  }

  async function compiledNow(): Promise<Compiled> {
    const { rules } = store.current();
    if (known?.of !== rules) known = undefined;
    const mine = (known ??= { of: rules, compiled: compile(rules ?? []) });
    const compiled = await mine.compiled;
    if (!compiled.isFinal && known === mine) known = undefined;
    return compiled;
  }

  /** The seal of an expired `allow` is dropped, so that setting back the clock does not revive it. */
  async function unsealEnded(compiled: Compiled, time: number): Promise<void> {
    if (compiled.firstEnd > time || swept === compiled) return;
    swept = compiled;
    const unsealIfOver = (stored: StoredRule): StoredRule => {
      if (!isObject(stored) || stored.seal === undefined || !isOver(stored.rule, time)) return stored;
      const { seal: _, ...rest } = stored;
      return rest;
    };
    const change = (settings: Settings): Settings =>
      settings.rules === undefined ? settings : { ...settings, rules: settings.rules.map(unsealIfOver) };
    await store.update(change).catch(() => undefined); // ignored in any case
  }

  async function explain(call: RuleSubject): Promise<Explanation | undefined> {
    try {
      const time = clock();
      const compiled = await compiledNow();
      await unsealEnded(compiled, time);
      const found = compiled.set.explain(call, time);
      if (found?.decision === 'deny' || found?.decision === 'ask' || store.reload === undefined) return found;
      await store.reload(); // an allow may have been revoked elsewhere, and a deny added
      return (await compiledNow()).set.explain(call, time);
    } catch (error) {
      const rule: Rule = { decision: 'ask' };
      const text = `The rules cannot be checked, so this is asked about: ${messageOf(error)}`;
      return { decision: 'ask', layer: 'user', rule, isUncertain: true, eachTime: true, text };
    }
  }

  function listed(rule: Rule, layer: RuleLayer, problem = ruleProblem(rule)): ListedRule {
    return { rule, layer, isExpired: isOver(rule, clock()), ...(problem !== undefined && { problem }) };
  }

  return {
    pins: loadedLater(async () => (await import('./settings-pins.ts')).settingsPins(store, { seals, scope, now })),
    explain,
    async list() {
      const { rules = [] } = store.current();
      const { problems } = await compiledNow();
      return [
        ...admin.map((rule) => listed(rule, 'admin')),
        ...rules.map((entry) => ({
          id: ruleIdOf(entry),
          ...listed(ruleOf(entry), 'user', problems.get(ruleOf(entry))),
        })),
        ...project.map((rule) => listed(rule, 'project')),
      ];
    },
    async put(given, id) {
      const problem = ruleProblem(given);
      if (problem !== undefined) throw new UtensilError('invalid_input', problem);
      const seal = given.decision === 'allow' && { seal: await seals.make(statement(given)) };
      const stored = {
        id: id ?? (await fingerprint({ rule: toJson(given), time: now() })),
        rule: given,
        ...seal,
      };
      await store.update((settings) => withRule(settings, stored));
      return stored.id;
    },
    async remove(id) {
      await store.update((settings) => withoutRule(settings, id));
    },
    subscribe: (listener) => store.subscribe(listener),
  };
}

function isOver(rule: unknown, time: number): boolean {
  return isObject(rule) && typeof rule['expires'] === 'number' && rule['expires'] <= time;
}

const unsealed =
  'It has no seal of this app: its time was over, or another program wrote it. Save it again if it should count.';
const foreign =
  'Its seal does not fit: another program wrote it, it is of another project, or the key of the app is new. Save it again if it should count.';
