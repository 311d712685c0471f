import type { JsonSchema } from '../base/json.ts';

/** The form of an answer's text: any JSON, or JSON of a schema. Calls of tools are not affected, but some vendors take no tools beside it. */
export type ResponseFormat = 'json' | { readonly schema: JsonSchema; readonly name?: string };

/** How soon, and at what price, a vendor answers. */
export type ServiceTier = 'auto' | 'standard' | 'flex' | 'priority';

/** Settings that some wire formats have a field for. A run tells of each that its model's has none for: `setting-ignored`. */
export interface RequestSettings {
  /** Randomness of the answer, from 0; most vendors take at most 2. Default: the vendor's. */
  readonly temperature?: number;
  /** Share of the likeliest words that are chosen from, from 0 to 1. Default: the vendor's. */
  readonly topP?: number;
  /** Texts that end an answer where it would have one of them. */
  readonly stop?: readonly string[];
  /** Whole number by which a vendor makes the same answer again, as far as it can. */
  readonly seed?: number;
  /** Default: text. */
  readonly responseFormat?: ResponseFormat;
  /** Default: the vendor's. */
  readonly serviceTier?: ServiceTier;
}

export type SettingName = keyof RequestSettings;

/** Values that a wire format takes of a setting: all, all if `reasoning` is `none`, or those listed. A response format is `json` or `schema`. */
export type TakenValues = true | 'no-reasoning' | readonly string[];

/** The settings that a model takes. Absent: it does not. */
export type TakenSettings = { readonly [Name in SettingName]?: TakenValues };

/** All settings. */
export const settingNames = Object.keys({
  temperature: 0,
  topP: 0,
  stop: 0,
  seed: 0,
  responseFormat: 0,
  serviceTier: 0,
} satisfies Record<SettingName, 0>) as readonly SettingName[];

type Asked = RequestSettings & { readonly reasoning?: string | undefined };

/** True if a request has any settings. */
export function hasSettings(request: RequestSettings): boolean {
  return settingNames.some((name) => request[name] !== undefined);
}

/** True if a model takes a setting of a request as it is. */
export function isTaken(request: Asked, name: SettingName, taken: TakenSettings = {}): boolean {
  const values = taken[name];
  if (values === undefined || values === true) return values === true;
  if (values === 'no-reasoning') return request.reasoning === 'none';
  return values.includes(kindOf(request[name]));
}

function kindOf(value: RequestSettings[SettingName]): string {
  return typeof value === 'object' ? 'schema' : String(value);
}

/** The settings of a request that a model does not take, and why. */
export function ignoredSettings(
  request: Asked,
  taken: TakenSettings = {},
): readonly { readonly setting: SettingName; readonly reason: string }[] {
  return settingNames
    .filter((name) => request[name] !== undefined && !isTaken(request, name, taken))
    .map((setting) => ({ setting, reason: reasonFor(setting, { value: request[setting], values: taken[setting] }) }));
}

function reasonFor(
  name: SettingName,
  { value, values }: { readonly value: RequestSettings[SettingName]; readonly values: TakenValues | undefined },
): string {
  if (values === 'no-reasoning') return `\`${name}\` is taken only with \`reasoning: 'none'\`.`;
  if (typeof values !== 'object') return `There is no field for \`${name}\`.`;
  return `\`${name}\` can be ${values.join(' or ')}, not ${kindOf(value)}.`;
}
