import type { ContentPart } from '../message.ts';
import { withDefaults } from './defaults.ts';

/** Vendor-specific options of a part. */
export function partOptions(part: ContentPart, api: string): object | undefined {
  return 'providerOptions' in part ? part.providerOptions?.[api] : undefined;
}

/** Merges a part in its wire format with the app's options for that format. Members of the part itself win. */
export function withPartOptions<Wire extends object>(wire: Wire, part: ContentPart, api: string): Wire {
  const options = partOptions(part, api);
  return options === undefined ? wire : withDefaults(wire, options);
}
