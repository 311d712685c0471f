import { isObject } from '../../base/json.ts';
import type { ContentPart } from '../message.ts';

/** Vendor-specific options of a part. */
export function partOptions(part: ContentPart, api: string): object | undefined {
  return 'providerOptions' in part ? part.providerOptions?.[api] : undefined;
}

/** Merges a part in its wire format with the app's options for that format. Members of the part itself win. */
export function withPartOptions<Wire extends object>(wire: Wire, part: ContentPart, api: string): Wire {
  const options = partOptions(part, api);
  if (options === undefined) return wire;
  const whole = { ...(wire as Record<string, unknown>) };
  for (const [key, value] of Object.entries(options)) {
    const own = whole[key];
    whole[key] = isObject(own) && isObject(value) ? { ...value, ...own } : (own ?? value);
  }
  return whole as Wire;
}
