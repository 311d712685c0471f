import { settingsOfName, withGrant } from '../settings/settings.ts';
import type { SettingsStore } from '../settings/store.ts';

/** A tool that the user allows, as it was when they did: one that has changed since is asked about again. */
export interface Grant {
  readonly name: string;
  readonly toolFingerprint: string;
}

/** What the user has allowed without being asked again. */
export interface Grants {
  has(grant: Grant): boolean | Promise<boolean>;
  add(grant: Grant): void | Promise<void>;
}

/** Grants for as long as the program runs; for the runs that share them. */
export function memoryGrants(): Grants {
  const known = new Map<string, string>();
  return {
    has: ({ name, toolFingerprint }) => known.get(name) === toolFingerprint,
    add: ({ name, toolFingerprint }) => void known.set(name, toolFingerprint),
  };
}

/** Grants in the settings of a project, where the user sees them and takes them back. */
export function settingsGrants(store: Pick<SettingsStore, 'current' | 'update'>): Grants {
  return {
    has: ({ name, toolFingerprint }) => settingsOfName(store.current(), name).grant === toolFingerprint,
    async add({ name, toolFingerprint }) {
      await store.update((settings) => withGrant(settings, name, toolFingerprint));
    },
  };
}
