import { isObject } from '../../base/json.ts';
import type { ContentPart } from '../message.ts';

/** What a vendor is told of a part beyond its contents. */
export function partOptions(part: ContentPart, api: string): object | undefined {
  return 'providerOptions' in part ? part.providerOptions?.[api] : undefined;
}

/** A part as a wire format has it, with the options that the app gave the part for this format. What the part itself says stays. */
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
