import { isUtensilError, UtensilError } from '../errors.ts';
import { toJson } from '../json.ts';
import { createListeners } from '../listeners.ts';
import type { RecordStore } from '../records.ts';
import { migrateSettings } from './migrate.ts';
import { emptySettings } from './settings.ts';
import type { Settings } from './settings.ts';

/** The settings of a project, stored and observable. */
export interface SettingsStore {
  /** The same object until something changes. */
  current(): Settings;
  /** Changes what is stored, on top of what other tabs or processes have stored meanwhile. */
  update(change: (settings: Settings) => Settings): Promise<Settings>;
  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** The latest time that what was stored could not be read: it was put aside, and these settings stand for it. */
  readonly problem: UtensilError | undefined;
}

/**
 * Opens the settings of a project, and brings them up to date in memory; what is stored changes with the first update.
 *
 * @throws `settings_newer` where a later version of the app wrote them; they are left as they are.
 * @example
 * ```ts
 * import { createRecords, openSettings } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const settings = await openSettings(createRecords(memoryStorage()), 'default');
 * settings.current(); // { version: 1, tools: {} }
 * ```
 */
export async function openSettings(records: RecordStore, projectId: string): Promise<SettingsStore> {
  const key = ['settings', projectId];
  const { notify, subscribe } = createListeners();
  let problem: UtensilError | undefined;
  let lastGood = emptySettings;
  lastGood = (await load()).settings;

  async function load(): Promise<{ readonly settings: Settings; readonly etag: string | null }> {
    try {
      const stored = await records.get(key);
      return stored === undefined
        ? { settings: emptySettings, etag: null }
        : { settings: migrateSettings(stored.value), etag: stored.etag };
    } catch (error) {
      if (!isUtensilError(error, 'record_corrupt', 'settings_corrupt')) throw error;
      const name = await records.setAside(key);
      const text = `The settings of "${projectId}" could not be read. They were put aside as ${name ?? 'nothing'}, and what was chosen in them is back at its default.`;
      problem = new UtensilError(error.code, text, { cause: error });
      return { settings: lastGood, etag: null };
    }
  }

  async function update(change: (settings: Settings) => Settings): Promise<Settings> {
    for (let attempt = 1; ; attempt++) {
      const stored = await load();
      const changed = change(stored.settings);
      try {
        await records.put(key, toJson(changed), { ifMatch: stored.etag });
      } catch (error) {
        if (attempt < 5 && isUtensilError(error, 'ECONFLICT')) continue;
        throw error;
      }
      lastGood = changed;
      notify();
      return changed;
    }
  }

  return {
    current: () => lastGood,
    update,
    subscribe,
    get problem() {
      return problem;
    },
  };
}
