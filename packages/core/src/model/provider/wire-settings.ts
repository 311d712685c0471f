import type { Eventually } from '../../base/eventually.ts';
import type { ModelRequest } from '../model.ts';
import { hasSettings, isTaken, settingNames } from '../request-settings.ts';
import type { RequestSettings, SettingName, TakenSettings, TakenValues } from '../request-settings.ts';
import { withDefaults } from './defaults.ts';

/** A setting in a wire format. */
interface WireSetting<Value> {
  /** Supported values. Default: all. */
  readonly takes?: TakenValues;
  /** Members of the body that express the value. */
  to(value: Value): Eventually<object>;
}

/** Settings that a wire format has fields for. */
export type WireSettings = { readonly [Name in SettingName]?: WireSetting<NonNullable<RequestSettings[Name]>> };

/** The same settings as declared in `ModelInfo`. */
export function takenBy(settings: WireSettings): TakenSettings {
  return Object.fromEntries(Object.entries(settings).map(([name, { takes = true }]) => [name, takes]));
}

/**
 * A body with the request's settings that its wire format supports. Members already in the body win, such as those of
 * `providerOptions`.
 */
export function withSettings<Body extends object>(
  body: Body,
  settings: WireSettings,
  request: ModelRequest,
): Eventually<Body> {
  return hasSettings(request) ? merged(body, settings, request) : body;
}

async function merged<Body extends object>(body: Body, settings: WireSettings, request: ModelRequest): Promise<Body> {
  const taken = takenBy(settings);
  let whole = body;
  for (const name of settingNames) {
    const value = request[name];
    if (value === undefined || !isTaken(request, name, taken)) continue;
    whole = withDefaults(whole, (await settings[name]?.to(value as never)) ?? {});
  }
  return whole;
}
