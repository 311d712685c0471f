import type { Settings, SettingsStore, UtensilError } from '@utensil/core';
import { useSource } from './use-source.ts';

/** Settings, and how it went to read and store them. */
export interface SettingsState {
  readonly settings: Settings;
  /** Why what is stored could not be read, or these settings not be stored. */
  readonly problem?: UtensilError;
}

/**
 * The settings in a store, as they are changed here, in other tabs or by other processes: the same object until
 * something changes. To change them, call the store.
 *
 * @example
 * ```ts
 * import type { SettingsStore, Tool } from '@utensil/core';
 * import { isEnabled, withEnabled } from '@utensil/core/settings';
 * import { useSettings } from '@utensil/react';
 * import { createElement } from 'react';
 * import type { ReactNode } from 'react';
 *
 * function Switch({ store, tool }: { readonly store: SettingsStore; readonly tool: Tool }): ReactNode {
 *   const { settings, problem } = useSettings(store);
 *   const isOn = isEnabled(settings, tool);
 *   const onClick = () => store.change((all) => withEnabled(all, tool, !isOn));
 *   return createElement('button', { 'aria-pressed': isOn, onClick }, problem?.message ?? tool.title ?? tool.name);
 * }
 * ```
 */
export function useSettings(store: Pick<SettingsStore, 'current' | 'problem' | 'subscribe'>): SettingsState {
  return useSource(store, stateOf);
}

const states = new WeakMap<object, SettingsState>();

/** The same object until something of it changes. */
function stateOf(store: Pick<SettingsStore, 'current' | 'problem'>): SettingsState {
  const [settings, problem] = [store.current(), store.problem];
  const known = states.get(store);
  if (known?.settings === settings && known.problem === problem) return known;
  const state = { settings, ...(problem && { problem }) };
  states.set(store, state);
  return state;
}
