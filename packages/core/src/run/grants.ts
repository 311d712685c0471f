import { isObject } from '../base/json.ts';
import { messageOf } from '../base/errors.ts';
import type { Seals } from '../base/seals.ts';
import type { Principal } from '../tool/capability.ts';
import { settingsOfName, withGrant } from '../settings/settings.ts';
import type { SealedGrant, ToolSettings } from '../settings/settings.ts';
import type { SettingsStore } from '../settings/store.ts';

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
    has: (grant) => known.get(keyOf(grant)) === grant.toolFingerprint,
    add: (grant) => void known.set(keyOf(grant), grant.toolFingerprint),
  };
}

function keyOf({ name, principal }: Grant): string {
  return JSON.stringify([name, principal]);
}

/** Options of {@link settingsGrants}. */
export interface SettingsGrantsOptions {
  /** Seals by a key that other programs cannot read. Without one, use {@link memoryGrants}. */
  readonly seals: Seals;
  /** The project, or the thread, that the grants are for: those of another one do not count here. */
  readonly scope: string;
  /** Milliseconds until a grant ends. Default 90 days. */
  readonly lifetimeMs?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const defaultLifetimeMs = 90 * 24 * 60 * 60 * 1_000;

/**
 * Grants in the settings of a project, where the user sees them and takes them back. They are sealed: one that another
 * program has written, or that was copied from another project, stays where it is and does not count. Before one counts,
 * what is stored is looked at again.
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
  const statement = ({ name, toolFingerprint, principal }: Grant, expires: number) => ({
    type: 'grant',
    scope,
    name,
    toolFingerprint,
    expires,
    ...(principal !== undefined && { principal }),
  });

  async function isValid(stored: ToolSettings['grant'], grant: Grant): Promise<Granted> {
    if (stored === grant.toolFingerprint) return { ignored: unsealed };
    if (!isSealed(stored) || stored.toolFingerprint !== grant.toolFingerprint) return false;
    if (!(await seals.fits(statement(grant, stored.expires), stored.seal))) return { ignored: foreign };
    return stored.expires > now() ? true : { ignored: 'its time is over' };
  }

  return {
    async has(grant) {
      if (settingsOfName(store.current(), grant.name).grant === undefined) return false;
      try {
        const settings = (await store.reload?.()) ?? store.current(); // it may have been taken back elsewhere
        return await isValid(settingsOfName(settings, grant.name).grant, grant);
      } catch (error) {
        return { ignored: `it cannot be checked: ${messageOf(error)}` };
      }
    },
    async add(grant) {
      const expires = now() + lifetimeMs;
      const seal = await seals.make(statement(grant, expires));
      const sealed = { toolFingerprint: grant.toolFingerprint, expires, seal };
      await store.update((settings) => withGrant(settings, grant.name, sealed));
    },
  };
}

const unsealed = 'it has no seal of this app: an earlier version stored it, or another program did';
const foreign =
  'its seal does not fit: another program wrote it, it is of another project, or the key of the app is new';

/** Other programs may have stored anything. */
function isSealed(stored: unknown): stored is SealedGrant {
  return (
    isObject(stored) &&
    typeof stored['toolFingerprint'] === 'string' &&
    typeof stored['expires'] === 'number' &&
    typeof stored['seal'] === 'string'
  );
}
