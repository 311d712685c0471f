import type { Settings, SettingsStore } from '@utensil/core';
import { useSource } from './use-source.ts';

/**
 * The settings in a store, as they are changed here, in other tabs or by other processes. To change them, call the store:
 * `store.change((settings) => withEnabled(settings, tool, false))`.
 */
export function useSettings(store: SettingsStore): Settings {
  return useSource({ subscribe: store.subscribe, snapshot: store.current });
}
