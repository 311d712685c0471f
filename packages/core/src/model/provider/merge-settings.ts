// Needed by requests with settings only; loaded with the first one.

import { isObject } from '../../base/json.ts';
import type { ModelRequest } from '../model.ts';
import { isTaken, settingNames } from '../request-settings.ts';
import type { SettingName, TakenSettings } from '../request-settings.ts';

/** Converts the value of a setting to members of a body. */
type Mapped = Readonly<Record<SettingName, { to(value: unknown): object | Promise<object> }>>;

/** A body with the settings that its wire format supports. */
export async function mergeSettings<Body extends object>(
  body: Body,
  { settings, taken }: { readonly settings: object; readonly taken: TakenSettings },
  request: ModelRequest,
): Promise<Body> {
  const whole = { ...(body as Record<string, unknown>) };
  for (const name of settingNames) {
    const value = request[name];
    if (value === undefined || !isTaken(request, name, taken)) continue;
    for (const [key, member] of Object.entries(await (settings as Mapped)[name].to(value))) {
      const before = whole[key];
      whole[key] = isObject(before) && isObject(member) ? { ...member, ...before } : (before ?? member);
    }
  }
  return whole as Body;
}
