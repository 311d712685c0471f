import type { Settings, SettingsStore, UtensilError } from '@utensil/core';
import { useSource } from './use-source.ts';

/** Settings, and the result of reading and storing them. */
export interface SettingsState {
  readonly settings: Settings;
  /** Error of reading the stored settings, or of storing these. */
  readonly problem?: UtensilError;
}

/**
 * Settings of a store, including changes by other tabs and processes: the same object until they change. To change
 * them, call the store.
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

/** The same object until part of it changes. */
function stateOf(store: Pick<SettingsStore, 'current' | 'problem'>): SettingsState {
  const [settings, problem] = [store.current(), store.problem];
  const known = states.get(store);
  if (known?.settings === settings && known.problem === problem) return known;
  const state = { settings, ...(problem && { problem }) };
  states.set(store, state);
  return state;
}
