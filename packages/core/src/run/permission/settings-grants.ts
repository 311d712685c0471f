import { messageOf } from '../../base/errors.ts';
import { risingClock } from '../../base/rising-clock.ts';
import type { Seals } from '../../base/seals.ts';
import type { SealedGrant } from '../../settings/sealed.ts';
import { settingsOfName } from '../../settings/settings.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SettingsStore } from '../../settings/store.ts';
import { isGrant, withGrant, withoutGrant } from '../../settings/stored-grants.ts';
import { listOf } from '../../settings/stored-list.ts';
import { outdated } from './grants.ts';
import type { Grant, Granted, Grants } from './grants.ts';

/** Options of {@link settingsGrants}. */
export interface SettingsGrantsOptions {
  /** Seals with a key that other programs cannot read. If there is none, use {@link memoryGrants}. */
  readonly seals: Seals;
  /**
   * The project or thread of the grants: those of others do not count. If there are several, all count, and new grants
   * are for the first: `[threadId, projectId]`.
   */
  readonly scope: string | readonly string[];
  /** Lifetime of a grant in milliseconds. Default: 90 days. */
  readonly lifetimeMs?: number;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

const defaultLifetimeMs = 90 * 24 * 60 * 60 * 1_000;

/**
 * Grants in the settings of a project, where the user can see and revoke them. A tool may have several: per scope, per
 * user, and per version of the tool. They are sealed: a grant written by another program, or copied from another
 * project, is kept and ignored. The stored settings are read again before a grant counts. An expired grant is removed
 * at once, so that setting back the clock does not revive it.
 *
 * @example
 * ```ts
 * import { createRecords, hmacSeals, openSettings, settingsGrants } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const settings = await openSettings(createRecords(memoryStorage()), 'default');
 * const seals = hmacSeals(crypto.getRandomValues(new Uint8Array(32))); // kept outside the project
 * const grants = settingsGrants(settings, { seals, scope: 'default' });
 * await grants.add({ name: 'search', toolFingerprint: 'f00d' });
 * await grants.has({ name: 'search', toolFingerprint: 'f00d' }); // true
 * ```
 */
export function settingsGrants(
  store: Pick<SettingsStore, 'current' | 'update'> & Partial<Pick<SettingsStore, 'reload'>>,
  { seals, scope, lifetimeMs = defaultLifetimeMs, now = Date.now }: SettingsGrantsOptions,
): Grants {
  const scopes = typeof scope === 'string' ? [scope] : scope;
  const [ownScope = ''] = scopes;
  const clock = risingClock(now);
  const statement = ({ name, toolFingerprint, principal }: Grant, expires: number, of: string) => ({
    type: 'grant',
    scope: of,
    name,
    toolFingerprint,
    expires,
    ...(principal !== undefined && { principal }),
  });

  async function isOurs({ expires, seal, scope: of }: SealedGrant, grant: Grant): Promise<boolean> {
    const possible = of !== undefined && scopes.includes(of) ? [of] : scopes;
    for (const each of possible) if (await seals.fits(statement(grant, expires, each), seal)) return true;
    return false;
  }

  async function judged(stored: unknown, grant: Grant): Promise<Granted | SealedGrant> {
    if (stored === grant.toolFingerprint) return { ignored: unsealed };
    if (!isGrant(stored)) return false;
    if (stored.principal !== undefined && stored.principal !== grant.principal) return false; // another user's
    const { toolFingerprint } = stored;
    const isOutdated = toolFingerprint !== grant.toolFingerprint;
    if (!(await isOurs(stored, { ...grant, toolFingerprint }))) return isOutdated ? false : { ignored: foreign };
    if (isOutdated) return stored.expires > clock() && { ignored: outdated };
    return stored.expires > clock() ? true : stored;
  }

  /** True if one of them counts; otherwise the first reason why one does not. Removes expired ones. */
  async function valid(all: readonly unknown[], grant: Grant): Promise<Granted> {
    let first: Granted = false;
    const over: SealedGrant[] = [];
    for (const stored of all) {
      const found = await judged(stored, grant);
      if (found === true) return true;
      if (typeof found === 'object' && 'seal' in found) over.push(found);
      else if (first === false) first = found;
    }
    if (over.length === 0) return first;
    const remove = (settings: Settings): Settings =>
      over.reduce((left, each) => withoutGrant(left, grant.name, each), settings);
    await store.update(remove).catch(() => undefined); // ignored in any case
    return { ignored: 'its time is over' };
  }

  return {
    async has(grant) {
      if (settingsOfName(store.current(), grant.name).grants === undefined) return false;
      try {
        const settings = (await store.reload?.()) ?? store.current(); // it may have been revoked elsewhere
        return await valid(listOf(settingsOfName(settings, grant.name).grants), grant);
      } catch (error) {
        return { ignored: `it cannot be checked: ${messageOf(error)}` };
      }
    },
    async add(grant) {
      const { name, toolFingerprint, principal } = grant;
      const expires = clock() + lifetimeMs;
      const seal = await seals.make(statement(grant, expires, ownScope));
      const by = principal !== undefined && { principal };
      const sealed: SealedGrant = { toolFingerprint, expires, seal, scope: ownScope, ...by };
      await store.update((settings) => withGrant(settings, name, sealed));
    },
  };
}

const unsealed = 'it has no seal of this app: an earlier version stored it, or another program did';
const foreign =
  'its seal does not fit: another program wrote it, it is of another project, or the key of the app is new';
