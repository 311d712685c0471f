import type { Eventually } from '../../base/eventually.ts';
import type { ModelRequest } from '../model.ts';
import { hasSettings } from '../request-settings.ts';
import type { RequestSettings, SettingName, TakenSettings, TakenValues } from '../request-settings.ts';

/** A setting as a wire format has it. */
interface WireSetting<Value> {
  /** Default: all values. */
  readonly takes?: TakenValues;
  /** The members of the body that say it. */
  to(value: Value): Eventually<object>;
}

/** The settings that a wire format has a field for. */
export type WireSettings = { readonly [Name in SettingName]?: WireSetting<NonNullable<RequestSettings[Name]>> };

/** What `ModelInfo` says of these settings. */
export function takenBy(settings: WireSettings): TakenSettings {
  return Object.fromEntries(Object.entries(settings).map(([name, { takes = true }]) => [name, takes]));
}

/** A body with the settings of its request that its wire format takes. What the body says already stays, as `providerOptions` do. */
export function withSettings<Body extends object>(
  body: Body,
  settings: WireSettings,
  request: ModelRequest,
): Eventually<Body> {
  return hasSettings(request) ? merged(body, settings, request) : body;
}

async function merged<Body extends object>(body: Body, settings: WireSettings, request: ModelRequest): Promise<Body> {
  const { mergeSettings } = await import('./merge-settings.ts');
  return mergeSettings(body, { settings, taken: takenBy(settings) }, request);
}
