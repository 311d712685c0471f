import type { Models, Settings, Tool } from '@utensil/core';
import type { Texts } from '../texts/texts.ts';
import type { SecretStore } from './secret.ts';

/** The models that can be chosen: the capability `models` of the host, or a list that an app has. */
export type ModelSource = Pick<Models, 'list'>;

/** What the pieces of the settings are drawn from, and what they call. */
export interface SettingsView {
  readonly texts: Texts['settings'];
  readonly formats: Texts['formats'];
  readonly settings: Settings;
  readonly models: ModelSource | undefined;
  readonly secrets: SecretStore | undefined;
  readonly isCompact: boolean;
  readonly isBusy: boolean;
  /** What is typed and cannot be stored as it is, by the field. */
  readonly drafts: Map<string, string>;
  /** Whether something that opens is open. */
  isOpen(key: string, initially: boolean): boolean;
  setOpen(key: string, isOpen: boolean): void;
  isNew(tool: Tool): boolean;
  /** Why a tool cannot be used. */
  reason(tool: Tool): string | undefined;
  /** Changes the settings: seen at once, stored soon. */
  change(change: (settings: Settings) => Settings): void;
  /** Draws anew. */
  redraw(): void;
}
