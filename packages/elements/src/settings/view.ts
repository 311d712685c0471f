import type { Models, Settings, Tool } from '@utensil/core';
import type { Texts } from '../texts/texts.ts';
import type { SecretStore } from './secret.ts';

/** Models to choose from: the capability `models` of the host, or an app's own list. */
export type ModelSource = Pick<Models, 'list'>;

/** State and actions of the settings. */
export interface SettingsView {
  readonly texts: Texts['settings'];
  readonly formats: Texts['formats'];
  readonly settings: Settings;
  readonly models: ModelSource | undefined;
  readonly secrets: SecretStore | undefined;
  readonly isCompact: boolean;
  readonly isBusy: boolean;
  /** Invalid typed values, by field. */
  readonly drafts: Map<string, string>;
  /** True if a collapsible part is open. */
  isOpen(key: string, initially: boolean): boolean;
  setOpen(key: string, isOpen: boolean): void;
  isNew(tool: Tool): boolean;
  /** Reason that a tool is unavailable. */
  reason(tool: Tool): string | undefined;
  /** Changes the settings: visible at once, stored soon. */
  change(change: (settings: Settings) => Settings): void;
  /** Renders again. */
  redraw(): void;
}
